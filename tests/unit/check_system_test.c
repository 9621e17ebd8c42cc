#include "model_sample.h"

Suite *check_system_suite(void);

static struct sample sample;

static void setup(void) { sample_open(&sample, sample_prelude); }

static void teardown(void) { sample_close(&sample); }

/* What Uppaal accepts without a warning. */
static const struct row valid[] = {
    {INVARIANT("x <= 3")},
    {INVARIANT("x")},
    {INVARIANT("x < 3 or x > 7")},
    {INVARIANT("A")},
    {LOCAL("int x;")},
    {LOCAL("int q = pure(1);")},
    {LOCAL("const int q = N; int w[q];")},
    {LOCAL("chan lc;")},
    {LOCAL("bool A1() { return x > 0; }")},
    {BIND("int n", "1")},
    {BIND("int n", "N + pure(1)")},
    {BIND("bool n", "2")},
    {BIND("int n", "N > 2 ? 1 : 2")},
    {BIND("int &n", "x")},
    {BIND("int &n", "a[N - 1]")},
    {BIND("int &n", "r.f")},
    {BIND("const int &n", "N")},
    {BIND("int[0,2] n", "7")},
    {BIND("chan &n", "ca[1]")},
    {BIND("urgent chan &n", "c")},
    {BIND("broadcast chan &n", "c")},
    {BIND("chan &n[3]", "ca")},
    {BIND("const int n[3]", "K")},
    {BIND("Rec &n", "r")},
    {BIND("int n", "sum (i : t) K[i]")},
    {BIND("", "")},
    {PARAMETER("int[0,3] n")},
    {PARAMETER("const int[0,3] n")},
    {PARAMETER("t n")},
    {PARAMETER("S n")},
    {PARAMETER("int[-32768,32767] n")},
    {PARAMETER("const t n"), LOCAL("int[0,n] w;")},
    {PARAMETER("const t n"), LOCAL("const int w = n;")},
    {PARAMETER("const t n"), LOCAL("bool f() { return n > 0; }")},
    {PARAMETER("const t n"), SELECT("i : int[0,n]")},
    {PARAMETER("int n"), SYSTEM("Q(const int k) = P(k); Z = Q(1); system Z;")},
    {PARAMETER("int &n"), SYSTEM("Q(int &k) = P(k); Z = Q(x); system Z;")},
    {PARAMETER("int n"), SYSTEM("Q(const t k) = P(k); system Q;")},
    {SYSTEM("Q() = P(); Z := Q(); system P, Q < Z;")},
    {SYSTEM("chan priority c < default, ca[N - 1]; system P;")},
    {SYSTEM("before_update { x = 1 } after_update { imp() } system P;")},
    {SYSTEM("system P; progress { x; x > 1 : y; } gantt { G(i : t) : P.A -> i; }")},
    {LOCAL("int q; int h() { return q; }"), QUERY("")},
    {LOCAL("int q; int h() { return q; }"), QUERY("A[] P.A and not P.B")},
    {LOCAL("int q; int h() { return q; }"), QUERY("E<> x == 1")},
    {LOCAL("int q; int h() { return q; }"), QUERY("x == 1 --> P.q == x")},
    {LOCAL("int q; int h() { return q; }"), QUERY("A[] P.h() == 1")},
    {LOCAL("int q; int h() { return q; }"), QUERY("A[] not deadlock")},
    {LOCAL("int q; int h() { return q; }"), QUERY("E<> forall (i : t) deadlock imply a[i] > 0")},
    {LOCAL("int q; int h() { return q; }"), QUERY("sup{x > 0}: x, P.q")},
    {LOCAL("int q; int h() { return q; }"), QUERY("E<> forall (k : S) k == s")},
    {PARAMETER("const t n"), LOCAL("int q; int h() { return q; }"), QUERY("A[] P(0).A")},
    {PARAMETER("const t n"), LOCAL("int q; int h() { return q; }"), QUERY("E<> P(x).q == P(1).n")},
    {PARAMETER("const t n"), LOCAL("int q; int h() { return q; }"),
     QUERY("A[] forall (i : t) P(i).h() == 1")},
    {PARAMETER("const S n"), QUERY("A[] forall (k : S) P(k).A")},
    {SYSTEM("int w; system P;"), QUERY("E<> w == 1")},
    {PARAMETER("int &n"), SYSTEM("Q(int k) = P(k); Z = Q(1); system Z;")}};

static const struct row invalid[] = {
    {INVARIANT("x++ < 3"), AT(INVARIANT, 1) = "an invariant must not change variables"},
    {INVARIANT("a"), AT(INVARIANT, 1) = "an invariant must be an int or a bool, not an array"},
    {INVARIANT("r"), AT(INVARIANT, 1) = "an invariant must be an int or a bool, not a struct"},
    {INVARIANT("c"), AT(INVARIANT, 1) = "an invariant must be an int or a bool, not a channel"},
    {INVARIANT("B"), AT(INVARIANT, 1) = "location 'B' cannot be used here"},
    {INVARIANT("wr() > 0"), AT(INVARIANT, 1) = "an invariant must not change variables"},
    {PARAMETER("int n"), LOCAL("int q = n;"), SYSTEM("Q = P(1); system Q;"),
     AT(LOCAL, 9) = "the initialiser of a"},
    {PARAMETER("int n"), LOCAL("int w[n];"), SYSTEM("Q = P(1); system Q;"),
     AT(LOCAL, 7) = "a size must be known"},
    {PARAMETER("int n"), LOCAL("int q = y;"), SYSTEM("Q = P(1); system Q;"),
     AT(LOCAL, 9) = "the initialiser of a"},
    {BIND("int n", "x"), AT(SYSTEM, 7) = "an argument of a template must be known before the run"},
    {BIND("int n", "rd()"), AT(SYSTEM, 7) = "an argument of a template must be known before the"},
    {BIND("int n", "wr()"), AT(SYSTEM, 7) = "an argument of a template must not change variables"},
    {BIND("int n", "1, 2"), AT(SYSTEM, 1) = "'P' takes 1 argument, not 2"},
    {BIND("int n", ""), AT(SYSTEM, 1) = "'P' takes 1 argument, not 0"},
    {BIND("", "1"), AT(SYSTEM, 1) = "'P' takes 0 arguments, not 1"},
    {BIND("int n", "a"), AT(SYSTEM, 7) = "an argument of a template must be known before the run"},
    {BIND("int n", "x++"), AT(SYSTEM, 7) = "an argument of a template must not change variables"},
    {BIND("int &n", "1"), AT(SYSTEM, 7) = "parameter 'n' is a reference and needs one fixed"},
    {BIND("int &n", "N"), AT(SYSTEM, 7) = "parameter 'n' is a reference and needs a variable that"},
    {BIND("int &n", "z"), AT(SYSTEM, 7) = "parameter 'n' has another type"},
    {BIND("int &n", "a[x]"), AT(SYSTEM, 7) = "parameter 'n' is a reference and needs one fixed"},
    {BIND("int &n", "b ? x : y"), AT(SYSTEM, 7) = "parameter 'n' is a reference and needs one"},
    {BIND("int &n", "K[0]"), AT(SYSTEM, 7) = "parameter 'n' is a reference and needs a variable"},
    {BIND("const int &n", "x"), AT(SYSTEM, 7) = "an argument of a template must be known before"},
    {BIND("bool &n", "x"), AT(SYSTEM, 7) = "parameter 'n' is a bool, not an int"},
    {BIND("chan &n", "u"), AT(SYSTEM, 7) = "parameter 'n' needs a channel that is not urgent"},
    {BIND("chan &n", "bc"), AT(SYSTEM, 7) = "parameter 'n' needs a channel that is not broadcast"},
    {BIND("chan &n", "ca[x]"), AT(SYSTEM, 7) = "parameter 'n' is a reference and needs one fixed"},
    {BIND("chan &n", "ca"), AT(SYSTEM, 7) = "parameter 'n' is a channel, not an array"},
    {BIND("chan n", "c"), AT(SYSTEM, 7) = "channels are passed by reference"},
    {BIND("broadcast chan &n", "u"), AT(SYSTEM, 7) = "parameter 'n' needs a channel that is not"},
    {BIND("chan &n[N]", "ca"), AT(SYSTEM, 7) = "parameter 'n' has another type"},
    {BIND("int n[3]", "a"), AT(SYSTEM, 7) = "an argument of a template must be known before the"},
    {BIND("int n[N]", "K"), AT(SYSTEM, 7) = "parameter 'n' has another type"},
    {BIND("Rec n", "r"), AT(SYSTEM, 7) = "an argument of a template must be known before the run"},
    {BIND("S n", "s"), AT(SYSTEM, 7) = "an argument of a template must be known before the run"},
    {BIND("S &n", "s"), AT(SYSTEM, 7) = "parameter 'n' is a reference to a scalar, which Uppaal"},
    {BIND("void n", "1"), AT(PARAMETER, 6) = "'n' cannot be void"},
    {BIND("int n", "c"), AT(SYSTEM, 7) = "channels are passed by reference"},
    {BIND("const int n, int[0,n] k", "3, 2"), AT(PARAMETER, 20) = "parameter 'n' cannot be used"},
    {BIND("clock &n", "x"), AT(SYSTEM, 7) = "parameter 'n' is a clock, not an int"},
    {PARAMETER("int n"), AT(SYSTEM, 8) = "parameter 'n' of 'P' has no argument"},
    {PARAMETER("const int n"), AT(SYSTEM, 8) = "parameter 'n' of 'P' has no argument"},
    {PARAMETER("bool n"), AT(SYSTEM, 8) = "parameter 'n' of 'P' has no argument"},
    {PARAMETER("t n[2]"), AT(SYSTEM, 8) = "parameter 'n' of 'P' has no argument"},
    {PARAMETER("t &n"), AT(SYSTEM, 8) = "parameter 'n' of 'P' has no argument"},
    {PARAMETER("Rec n"), AT(SYSTEM, 8) = "parameter 'n' of 'P' has no argument"},
    {PARAMETER("const t n"), LOCAL("int w[n + 1];"), AT(SYSTEM, 8) = "parameter 'n' of 'P' stays"},
    {PARAMETER("const t n"), LOCAL("const int k = n; int w[k];"),
     AT(SYSTEM, 8) = "parameter 'n' of 'P'"},
    {PARAMETER("const t n"), LOCAL("scalar[n] w;"), AT(SYSTEM, 8) = "parameter 'n' of 'P' stays"},
    {PARAMETER("const t n"), LOCAL("typedef int[0,n] T; int w[T];"),
     AT(SYSTEM, 8) = "parameter 'n' of 'P'"},
    {PARAMETER("const t n"), LOCAL("void f() { int w[n + 1]; }"),
     AT(SYSTEM, 8) = "parameter 'n' of 'P'"},
    {PARAMETER("const t n"), LOCAL("struct { int w[n + 1]; } q;"),
     AT(SYSTEM, 8) = "parameter 'n' of 'P'"},
    {PARAMETER("const int n, const int k"), LOCAL("int w[n];"),
     SYSTEM("Q(const t i) = P(i + 1, 2); system Q;"), AT(SYSTEM, 36) = "parameter 'i' of 'Q'"},
    {PARAMETER("int n"), SYSTEM("Q(int k) = P(k); Z = Q(1); system Z;"),
     AT(SYSTEM, 14) = "an argument of a"},
    {PARAMETER("const int n"), UPDATE("n = 1"), SYSTEM("Q = P(1); system Q;"),
     AT(UPDATE, 1) = "'n' is a constant and"},
    {SYSTEM("chan priority x; system P;"), AT(SYSTEM, 15) = "a channel is needed here, not an int"},
    {SYSTEM("chan priority ca[x]; system P;"), AT(SYSTEM, 18) = "an index must be known before"},
    {SYSTEM("system P; progress { a; }"), AT(SYSTEM, 22) = "a progress measure must be an int or"},
    {SYSTEM("system P; gantt { G : r -> 1; }"), AT(SYSTEM, 23) = "an expression of a gantt chart"},
    {SYSTEM("before_update { c } system P;"), AT(SYSTEM, 17) = "a channel cannot stand here"},
    {SYSTEM("int w = P.A; system P;"), AT(SYSTEM, 9) = "'P' is a process"}};

static const struct row unsupported[] = {
    {GLOBAL("clock w;"), INVARIANT("w' == 0"), AT(INVARIANT, 1) = "clock rates are not supported"},
    {GLOBAL("clock w;"), LOCAL("void f() { clock k; }"),
     AT(LOCAL, 18) = "'k' is a clock; clocks that are local"}};

/* What Uppaal warns about, and queries that it refuses only when they are run. */
static const struct row doubtful[] = {
    {INVARIANT("x < 3"), AT(INVARIANT, 1) = "Uppaal warns about strict invariants"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] x = 1"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] wr()"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] a"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] c"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P.C"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P.T"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P.h"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P.hp()"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P.hi() == 1"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P.lr"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P(1).A"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P().A"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] Q.A"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P.A.B"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] x.f"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] deadlock == 1"),
     AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("E<> deadlock + 1 > 0"),
     AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A<> deadlock"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("sup: deadlock"), AT(QUERY, 6) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("sup: a"), AT(QUERY, 6) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("inf: x = 1"), AT(QUERY, 6) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("x --> r"), AT(QUERY, 7) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] P.location"), AT(QUERY, 5) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] forall (i : int[0,x]) true"),
     AT(QUERY, 23) = "this query cannot be"},
    {LOCAL("int q; const int k = 1; Rec lr; int h() { return q; } int hp(int i) { return i; } "
           "typedef int T; int hi() { q = 1; return 1; }"),
     SYSTEM("Q = P(); system P;"), QUERY("A[] 1.5 > 1"), AT(QUERY, 5) = "this query cannot be"},
    {PARAMETER("const t n"), QUERY("A[] P.A"), AT(QUERY, 5) = "this query cannot be used: 'P' is"},
    {PARAMETER("const t n"), QUERY("A[] P(0, 1).A"), AT(QUERY, 5) = "this query cannot be used:"},
    {PARAMETER("const t n"), QUERY("A[] P(a).A"), AT(QUERY, 7) = "this query cannot be used:"},
    {PARAMETER("const t n"), QUERY("A[] P(x = 1).A"), AT(QUERY, 5) = "this query cannot be used:"},
    {PARAMETER("const t n"), QUERY("A[] P(0)"), AT(QUERY, 5) = "this query cannot be used: 'P' is"},
    {PARAMETER("const S n"), QUERY("A[] P(0).A"), AT(QUERY, 7) = "this query cannot be used:"},
    {SYSTEM("chan priority c < default; system P;"), QUERY("A[] deadlock"),
     AT(QUERY, 5) = "this query cannot be"},
    {SYSTEM("Q = P(); system P < Q;"), QUERY("A[] deadlock"),
     AT(QUERY, 5) = "this query cannot be"},
    {GLOBAL("clock w;"), QUERY("E<> w > 1"),
     AT(QUERY, 5) = "this query cannot be used: this query is about clock 'w'"},
    {LOCAL("clock w;"), QUERY("E<> P.w > 1"),
     AT(QUERY, 5) = "this query cannot be used: this query is about clock"}};

START_TEST(accepts) { row_accept(&sample, &valid[_i]); }
END_TEST

START_TEST(refuses) { row_refuse(&sample, &invalid[_i], STATUS_INVALID); }
END_TEST

START_TEST(does_not_support) { row_refuse(&sample, &unsupported[_i], STATUS_UNSUPPORTED); }
END_TEST

START_TEST(warns) { row_warn(&sample, &doubtful[_i]); }
END_TEST

Suite *check_system_suite(void) {
    Suite *suite = suite_create("check_system");
    TCase *test = tcase_create("rules");
    tcase_add_checked_fixture(test, setup, teardown);
    tcase_add_loop_test(test, accepts, 0, COUNT(valid));
    tcase_add_loop_test(test, refuses, 0, COUNT(invalid));
    tcase_add_loop_test(test, does_not_support, 0, COUNT(unsupported));
    tcase_add_loop_test(test, warns, 0, COUNT(doubtful));
    suite_add_tcase(suite, test);
    return suite;
}
