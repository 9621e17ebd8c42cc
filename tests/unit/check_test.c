#include "model_sample.h"

Suite *check_suite(void);

static struct sample sample;

static void setup(void) { sample_open(&sample, sample_prelude); }

static void teardown(void) { sample_close(&sample); }

#define TEXTS(...)                                                                                 \
    { __VA_ARGS__ }

/* What Uppaal accepts without a warning. */
static const char *const valid_guards[] =
    TEXTS("", "x", "x == 1", "pure(1) > 1", "A and not B", "arr(a) > 0", "forall (i : t) a[i] > 0",
          "exists (i : S) sa[i] > 0", "sum (i : t) a[i] + i > 3", "forall (i : int) i > x",
          "forall (x : t) x > 0", "1 < 2 < 3", "b + b > 1", "x xor y", "x imply y", "2 ** 3 == 8",
          "abs(y) > 0", "r == r2", "a == m2[0]", "s == s2", "c == ca[1]", "(b ? x : b) > 0",
          "make(1).g", "sa[s] > 0", "a[b] > 0", "INT8_MAX > x");
static const char *const valid_updates[] =
    TEXTS("1", "x := 1", "imp(), x = 2", "b ? x = 1 : x = 2", "(b ? x : y) = 3", "(x = 1) = 2",
          "++x = 3", "b |= true", "b -= 1", "b = x", "x = b", "a = m2[1]", "r = r2", "s = s2",
          "byref(a[1])", "byref(r.f)", "byref(b ? x : y)", "byref(x = 1)", "byref(++x)",
          "x = -2147483648", "r = make(1)", "a[0]++, r.f--", "x = sum (i : t) i");
static const char *const valid_syncs[] =
    TEXTS("c!", " c ? ", "ca[x + 1]!", "(b ? c : ca[0])!", "u!", "bc?");
static const char *const valid_selects[] =
    TEXTS("i : int[0,3], j : t", "i : int", "i : const int[0,2]", "i : int[3,1]", "i : S",
          "i : int[0,pure(2)]");
static const char *const valid_globals[] = TEXTS(
    "int w[2] = {1, 2, 3};", "int w[2] = {1};", "int w[0], v[-1];", "int[3,1] w;",
    "int[0,1] w = 9;", "bool w = 3;", "const int w = 100000;", "int w[pure(2)];",
    "int w[int], v[t], q[S];", "urgent broadcast chan w; chan v[2][3];",
    "typedef chan T; urgent T w;", "meta int w; meta bool v[2];",
    "Rec w = {1, true}, v = {g : 1, f : 2}, q = {f : 1, true};",
    "const int w[N] = {1, 2, 3}; int v[int[0,N-1]] = w;", "int w = sum (i : t) i;",
    "struct { int[0,3] q[2]; struct { bool e; } in; } w;", "int f() { return 1; } ",
    "uint8_t w = 300;", "int f() { if (b) return 1; else return 2; }",
    "int f() { do return 1; while (true); }", "Rec f() { return r; }", "S f() { return s; }",
    "bool f() { return 3; }", "void f() { for (x = 0, y = 0; x < 3; x++, y++) ; }",
    "void f() { { int w; { int w; } } ;;; }", "void f() { while (x-- > 0) ; }",
    "void f() { do x++; while (x < 3); }", "void f() { for (i : S) s = i; }",
    "void f() { assert x > 0; }", "void f() { if (x = 1) x = 2; }",
    "void f(int p) { int w = p; p = 2; }", "void f() { const int w = x; }",
    "typedef int T; void f() { int T; T = 1; }", "void f(urgent chan &k) {} void g() { f(c); }",
    "void f(broadcast chan &k) {} void g() { f(c); }", "void f(int &k[N]) {} void g() { f(a); }",
    "void f(int[0,5] &k) {} void g() { f(z); }", "int f() { return pure(pure(1)); }");

static const struct row invalid[] = {
    {GUARD("x = 1"), AT(GUARD, 1) = "a guard must not change variables"},
    {GUARD("x++ > 0"), AT(GUARD, 1) = "a guard must not change variables"},
    {GUARD("wr() > 0"), AT(GUARD, 1) = "a guard must not change variables"},
    {GUARD("imp()"), AT(GUARD, 1) = "a guard must be an int or a bool, not void"},
    {GUARD("a"), AT(GUARD, 1) = "a guard must be an int or a bool, not an array"},
    {GUARD("r"), AT(GUARD, 1) = "a guard must be an int or a bool, not a struct"},
    {GUARD("c"), AT(GUARD, 1) = "a guard must be an int or a bool, not a channel"},
    {GUARD("s"), AT(GUARD, 1) = "a guard must be an int or a bool, not a scalar"},
    {GUARD("s < s2"), AT(GUARD, 1) = "'<' needs an int or a bool, not a scalar"},
    {GUARD("s == 1"), AT(GUARD, 1) = "'==' needs an int or a bool, not a scalar"},
    {GUARD("s == other"), AT(GUARD, 1) = "'==' compares a scalar with one of another type"},
    {GUARD("s + 1"), AT(GUARD, 1) = "'+' needs an int or a bool, not a scalar"},
    {GUARD("a == a3"), AT(GUARD, 1) = "'==' compares an array with one of another type"},
    {GUARD("r == 1"), AT(GUARD, 1) = "'==' needs an int or a bool, not a struct"},
    {GUARD("r == a"), AT(GUARD, 1) = "'==' needs an int or a bool, not a struct"},
    {GUARD("c == u"), AT(GUARD, 1) = "'==' compares a channel with one of another type"},
    {GUARD("pure"), AT(GUARD, 1) = "'pure' is a function"},
    {GUARD("pure()"), AT(GUARD, 1) = "'pure' takes 1 argument, not 0"},
    {GUARD("pure(1, 2)"), AT(GUARD, 1) = "'pure' takes 1 argument, not 2"},
    {GUARD("pure(a)"), AT(GUARD, 6) = "parameter 'p' is an int, not an array"},
    {GUARD("x(1)"), AT(GUARD, 1) = "'x' is not a function"},
    {GUARD("P"), AT(GUARD, 1) = "'P' is a template, not a value"},
    {GUARD("P.A"), AT(GUARD, 1) = "'P' is a process"},
    {GUARD("x.f"), AT(GUARD, 1) = "'x' is an int and has no field 'f'"},
    {GUARD("r.h"), AT(GUARD, 1) = "there is no field 'h' in this struct"},
    {GUARD("x[0]"), AT(GUARD, 1) = "'x' is an int and cannot be indexed"},
    {GUARD("a[r]"), AT(GUARD, 3) = "the index must be an int, not a struct"},
    {GUARD("sa[0]"), AT(GUARD, 4) = "the index must be of the scalar type that the array is"},
    {GUARD("a[s]"), AT(GUARD, 3) = "the index must be an int, not a scalar"},
    {GUARD("-a"), AT(GUARD, 2) = "'-' needs an int or a bool, not an array"},
    {GUARD("not r"), AT(GUARD, 5) = "'!' needs an int or a bool, not a struct"},
    {GUARD("abs(a)"), AT(GUARD, 5) = "'abs' needs an int"},
    {GUARD("a ? x : y"), AT(GUARD, 1) = "the condition of '?:' must be an int or a bool, not an"},
    {GUARD("b ? a : x"), AT(GUARD, 1) = "the two branches of '?:' have different types"},
    {GUARD("b ? c : u"), AT(GUARD, 1) = "the two branches of '?:' have different types"},
    {GUARD("(b ? r : r2).g"), AT(GUARD, 1) = "Uppaal cannot take a field of '?:'"},
    {GUARD("forall (i : bool) true"), AT(GUARD, 9) = "'i' must range over a bounded int or a"},
    {GUARD("forall (i : Rec) true"), AT(GUARD, 9) = "'i' must range over a bounded int or a"},
    {GUARD("forall (i : t) (x = 1) > 0"), AT(GUARD, 16) = "the body of a quantifier must not"},
    {GUARD("forall (i : t) wr() > 0"), AT(GUARD, 16) = "the body of a quantifier must not change"},
    {GUARD("forall (i : int[0,x]) true"), AT(GUARD, 19) = "a bound must be known before the run"},
    {GUARD("forall (i : t) forall (j : int[0,i]) true"), AT(GUARD, 34) = "a bound must be known"},
    {GUARD("sum (i : t) r"), AT(GUARD, 13) = "'sum' needs an int or a bool, not a struct"},
    {GUARD("b == imp()"), AT(GUARD, 6) = "'==' needs an int or a bool, not void"},
    {GUARD("x && r"), AT(GUARD, 6) = "'&&' needs an int or a bool, not a struct"},
    {UPDATE("N = 1"), AT(UPDATE, 1) = "'N' is a constant and cannot be assigned"},
    {UPDATE("K[0] = 1"), AT(UPDATE, 1) = "'K' is a constant and cannot be assigned"},
    {UPDATE("c = c"), AT(UPDATE, 1) = "a channel cannot be assigned"},
    {UPDATE("c"), AT(UPDATE, 1) = "a channel cannot stand here"},
    {UPDATE("A"), AT(UPDATE, 1) = "a location cannot stand here"},
    {UPDATE("x = a"), AT(UPDATE, 1) = "an int cannot be assigned an array"},
    {UPDATE("a = a3"), AT(UPDATE, 1) = "an array is assigned an array of another type"},
    {UPDATE("a = K[0]"), AT(UPDATE, 1) = "an array cannot be assigned an int"},
    {UPDATE("r = x"), AT(UPDATE, 1) = "a struct cannot be assigned an int"},
    {UPDATE("s = 0"), AT(UPDATE, 1) = "a scalar cannot be assigned an int"},
    {UPDATE("x = s"), AT(UPDATE, 1) = "an int cannot be assigned a scalar"},
    {UPDATE("b++"), AT(UPDATE, 1) = "'++' needs an int, not a bool"},
    {UPDATE("b += 1"), AT(UPDATE, 1) = "'+=' needs an int on its left, not a bool"},
    {UPDATE("x += r"), AT(UPDATE, 6) = "'+=' needs an int or a bool, not a struct"},
    {UPDATE("x++ = 3"), AT(UPDATE, 1) = "only a variable or a part of one can be assigned"},
    {UPDATE("pure(1) = 2"), AT(UPDATE, 1) = "only a variable or a part of one can be assigned"},
    {UPDATE("(b ? x : N) = 3"), AT(UPDATE, 2) = "only a variable or a part of one can be assigned"},
    {UPDATE("(b ? x : b) = 3"), AT(UPDATE, 2) = "only a variable or a part of one can be assigned"},
    {UPDATE("byref(N)"), AT(UPDATE, 7) = "parameter 'q' is a reference and needs a variable that"},
    {UPDATE("byref(1)"), AT(UPDATE, 7) = "parameter 'q' is a reference and needs a variable that"},
    {UPDATE("byref(x++)"), AT(UPDATE, 7) = "parameter 'q' is a reference and needs a variable"},
    {UPDATE("byref(b)"), AT(UPDATE, 7) = "parameter 'q' is an int, not a bool"},
    {UPDATE("byref(z)"), AT(UPDATE, 7) = "parameter 'q' has another type"},
    {UPDATE("byref(s)"), AT(UPDATE, 7) = "parameter 'q' is an int, not a scalar"},
    {UPDATE("arr(a3)"), AT(UPDATE, 5) = "parameter 'q' has another type"},
    {UPDATE("x = imp()"), AT(UPDATE, 1) = "an int cannot be assigned void"},
    {UPDATE("imp() + 1"), AT(UPDATE, 1) = "'+' needs an int or a bool, not void"},
    {UPDATE("b ? imp() : imp()"), AT(UPDATE, 1) = "the two branches of '?:' have different types"},
    {UPDATE("x = 1, r = 2"), AT(UPDATE, 8) = "a struct cannot be assigned an int"},
    {UPDATE("forall (i : t) (a[i] = 1)"), AT(UPDATE, 17) = "the body of a quantifier must not"},
    {SELECT("i : t"), UPDATE("i = 1"), AT(UPDATE, 1) = "'i' is a select variable and cannot be"},
    {SELECT("i : t"), UPDATE("i++"), AT(UPDATE, 1) = "'i' is a select variable and cannot be"},
    {SELECT("i : t"), UPDATE("byref(i)"), AT(UPDATE, 7) = "parameter 'q' is a reference and needs"},
    {SYNC("x!"), AT(SYNC, 1) = "a synchronisation needs a channel, not an int"},
    {SYNC("a[0]?"), AT(SYNC, 1) = "a synchronisation needs a channel, not an int"},
    {SYNC("ca!"), AT(SYNC, 1) = "a synchronisation needs a channel, not an array"},
    {SYNC("ca[x++]!"), AT(SYNC, 1) = "a synchronisation must not change variables"},
    {SYNC("(b ? c : u)!"), AT(SYNC, 2) = "the two branches of '?:' have different types"},
    {SYNC("A?"), AT(SYNC, 1) = "a synchronisation needs a channel, not a bool"},
    {SELECT("i : bool"), AT(SELECT, 1) = "'i' must range over a bounded int or a scalar type, not"},
    {SELECT("i : const int"), AT(SELECT, 1) = "'i' needs a range"},
    {SELECT("i : int[0,x]"), AT(SELECT, 11) = "a bound must be known before the run"},
    {SELECT("j : t, i : int[0,j]"), AT(SELECT, 18) = "a bound must be known before the run"},
    {SELECT("i : Rec"), AT(SELECT, 1) = "'i' must range over a bounded int or a scalar type, not"},
    {SELECT("i : int[0,b]"), AT(SELECT, 11) = "a bound must be an int, not a bool"},
    {GLOBAL("const int w;"), AT(GLOBAL, 11) = "constant 'w' needs an initialiser"},
    {GLOBAL("const bool w[2];"), AT(GLOBAL, 12) = "constant 'w' needs an initialiser"},
    {GLOBAL("int w = x;"), AT(GLOBAL, 9) = "the initialiser of a variable must be known before"},
    {GLOBAL("int w = rd();"), AT(GLOBAL, 9) = "the initialiser of a variable must be known before"},
    {GLOBAL("int w = wr();"), AT(GLOBAL, 9) = "the initialiser of a variable must be known before"},
    {GLOBAL("int w = (x = 1);"), AT(GLOBAL, 10) = "the initialiser of a variable must be known"},
    {GLOBAL("int w = {1};"), AT(GLOBAL, 9) = "braces initialise arrays and structs only"},
    {GLOBAL("int w[2] = 1;"), AT(GLOBAL, 12) = "the value must be an array, not an int"},
    {GLOBAL("int w[2] = {q : 1, 2};"), AT(GLOBAL, 17) = "'q:' names a field, but this initialises"},
    {GLOBAL("int w[2] = {{1, 2}, 3};"), AT(GLOBAL, 13) = "braces initialise arrays and structs"},
    {GLOBAL("int w[2] = a;"), AT(GLOBAL, 12) = "the initialiser of a variable must be known"},
    {GLOBAL("const int w[2] = {1, 2}; int v[3] = w;"), AT(GLOBAL, 37) = "the value has another"},
    {GLOBAL("Rec w = {1};"), AT(GLOBAL, 9) = "field 'g' gets no value"},
    {GLOBAL("Rec w = {1, 2, 3};"), AT(GLOBAL, 16) = "there are more values than fields"},
    {GLOBAL("Rec w = {f : 1, f : 2};"), AT(GLOBAL, 9) = "field 'g' gets no value"},
    {GLOBAL("Rec w = {h : 1, g : 2};"), AT(GLOBAL, 14) = "there is no field 'h'"},
    {GLOBAL("Rec w = 1;"), AT(GLOBAL, 9) = "the value must be a struct, not an int"},
    {GLOBAL("int w = r;"), AT(GLOBAL, 9) = "the initialiser of a variable must be known before"},
    {GLOBAL("S w = 0;"), AT(GLOBAL, 3) = "'w' cannot have an initialiser: channels and scalars"},
    {GLOBAL("int w[S] = {1, 2, 3};"), AT(GLOBAL, 5) = "'w' cannot have an initialiser: channels"},
    {GLOBAL("chan w = 1;"), AT(GLOBAL, 6) = "'w' cannot have an initialiser: channels and scalars"},
    {GLOBAL("int[0,x] w;"), AT(GLOBAL, 7) = "a bound must be known before the run"},
    {GLOBAL("int[0,true] w;"), AT(GLOBAL, 7) = "a bound must be an int, not a bool"},
    {GLOBAL("int[0,r] w;"), AT(GLOBAL, 7) = "a bound must be an int, not a struct"},
    {GLOBAL("int w[x];"), AT(GLOBAL, 7) = "a size must be known before the run"},
    {GLOBAL("int w[r];"), AT(GLOBAL, 7) = "a size must be an int, not a struct"},
    {GLOBAL("int w[bool];"), AT(GLOBAL, 7) = "an array must be indexed by a bounded int or a"},
    {GLOBAL("int w[const int];"), AT(GLOBAL, 7) = "an array must be indexed by a bounded int or a"},
    {GLOBAL("int w[Rec];"), AT(GLOBAL, 7) = "an array must be indexed by a bounded int or a"},
    {GLOBAL("scalar[x] w;"), AT(GLOBAL, 8) = "a size must be known before the run"},
    {GLOBAL("urgent int w;"), AT(GLOBAL, 1) = "'urgent' goes with channels only"},
    {GLOBAL("broadcast t w;"), AT(GLOBAL, 1) = "'broadcast' goes with channels only"},
    {GLOBAL("const chan w = 1;"), AT(GLOBAL, 1) = "a channel cannot be const"},
    {GLOBAL("meta chan w;"), AT(GLOBAL, 1) = "a channel cannot be meta"},
    {GLOBAL("struct { const int q; } w;"), AT(GLOBAL, 20) = "field 'q' cannot be const"},
    {GLOBAL("struct { chan q; } w;"), AT(GLOBAL, 15) = "field 'q' cannot be a channel"},
    {GLOBAL("struct { void q; } w;"), AT(GLOBAL, 15) = "field 'q' cannot be void"},
    {GLOBAL("void w;"), AT(GLOBAL, 6) = "'w' cannot be void"},
    {GLOBAL("void w[2];"), AT(GLOBAL, 7) = "there are no arrays of void"},
    {GLOBAL("typedef int[0,x] T; T w;"), AT(GLOBAL, 15) = "a bound must be known before the run"},
    {GLOBAL("int f(int p) { return p > 0 ? f(p - 1) : 0; }"), AT(GLOBAL, 31) = "'f' calls itself"},
    {GLOBAL("int f() { }"), AT(GLOBAL, 5) = "'f' must end in a return on every path"},
    {GLOBAL("int f() { if (b) return 1; }"), AT(GLOBAL, 5) = "'f' must end in a return on every"},
    {GLOBAL("int f() { while (true) return 1; }"), AT(GLOBAL, 5) = "'f' must end in a return on"},
    {GLOBAL("int f() { for (i : t) return 1; }"), AT(GLOBAL, 5) = "'f' must end in a return on"},
    {GLOBAL("int f() { return 1; x = 2; }"), AT(GLOBAL, 5) = "'f' must end in a return on every"},
    {GLOBAL("int f() { return; }"), AT(GLOBAL, 11) = "'f' must return a value"},
    {GLOBAL("void f() { return 1; }"), AT(GLOBAL, 12) = "'f' is void and cannot return a value"},
    {GLOBAL("int f() { return r; }"), AT(GLOBAL, 18) = "'f' returns an int, but this is a struct"},
    {GLOBAL("Rec f() { return s; }"), AT(GLOBAL, 18) = "'f' returns a struct, but this is a"},
    {GLOBAL("int f() { imp(); return imp(); }"), AT(GLOBAL, 25) = "'f' returns an int, but this"},
    {GLOBAL("typedef int T[2]; T w; T f() { return w; }"),
     AT(GLOBAL, 24) = "'f' cannot return this"},
    {GLOBAL("chan f() { return c; }"), AT(GLOBAL, 1) = "'f' cannot return this type"},
    {GLOBAL("const int f() { return 1; }"), AT(GLOBAL, 1) = "'f' cannot return this type"},
    {GLOBAL("typedef struct { int q[2]; } T; T w; T f() { return w; }"),
     AT(GLOBAL, 38) = "'f' cannot return this"},
    {GLOBAL("void f(void p) {}"), AT(GLOBAL, 13) = "'p' cannot be void"},
    {GLOBAL("void f(int p) { int w[p]; }"), AT(GLOBAL, 23) = "a size must be known before the run"},
    {GLOBAL("void f(const int p) { int[0,p] w; }"), AT(GLOBAL, 29) = "a bound must be known"},
    {GLOBAL("void f() { const int w = 2; int v[w]; }"), AT(GLOBAL, 35) = "a size must be known"},
    {GLOBAL("void f() { for (i : t) for (j : int[0,i]) ; }"),
     AT(GLOBAL, 39) = "a bound must be known"},
    {GLOBAL("void f() { for (i : t) i = 1; }"), AT(GLOBAL, 24) = "'i' is the variable of a loop"},
    {GLOBAL("void f() { for (i : bool) ; }"), AT(GLOBAL, 17) = "'i' must range over a bounded int"},
    {GLOBAL("void f() { for (i : const int) ; }"), AT(GLOBAL, 17) = "'i' needs a range"},
    {GLOBAL("void f() { const int w; }"), AT(GLOBAL, 22) = "constant 'w' needs an initialiser"},
    {GLOBAL("void f() { int w = x++; }"), AT(GLOBAL, 20) = "an initialiser must not change"},
    {GLOBAL("void f() { int w = wr(); }"), AT(GLOBAL, 20) = "an initialiser must not change"},
    {GLOBAL("void f() { chan w; }"), AT(GLOBAL, 17) = "'w' cannot be declared in a function:"},
    {GLOBAL("void f() { scalar[2] w; }"), AT(GLOBAL, 22) = "'w' cannot be declared in a function:"},
    {GLOBAL("void f() { int w[S]; }"), AT(GLOBAL, 16) = "'w' cannot be declared in a function:"},
    {GLOBAL("void f(const int p) { p = 1; }"), AT(GLOBAL, 23) = "'p' is a constant and cannot be"},
    {GLOBAL("void f(const int &p) { p = 1; }"), AT(GLOBAL, 24) = "'p' is a constant and cannot be"},
    {GLOBAL("void f() { if (a) ; }"), AT(GLOBAL, 16) = "a condition must be an int or a bool, not"},
    {GLOBAL("void f() { while (r) ; }"), AT(GLOBAL, 19) = "a condition must be an int or a bool,"},
    {GLOBAL("void f() { for (x = 0; s; x++) ; }"), AT(GLOBAL, 24) = "a condition must be an int"},
    {GLOBAL("void f() { if (x, a) ; }"), AT(GLOBAL, 19) = "a condition must be an int or a bool,"},
    {GLOBAL("void f() { assert x++ > 0; }"), AT(GLOBAL, 19) = "an assertion must not change"},
    {GLOBAL("void f() { c; }"), AT(GLOBAL, 12) = "a channel cannot stand here"},
    {GLOBAL("void f(chan &k) {} void g() { f(u); }"), AT(GLOBAL, 33) = "parameter 'k' needs a"},
    {GLOBAL("void f(chan &k) {} void g() { f(bc); }"), AT(GLOBAL, 33) = "parameter 'k' needs a"},
    {GLOBAL("void f(broadcast chan &k) {} void g() { f(u); }"),
     AT(GLOBAL, 43) = "parameter 'k' needs a"},
    {GLOBAL("void f(chan &k[3]) {} urgent chan w[3]; void g() { f(w); }"),
     AT(GLOBAL, 54) = "parameter 'k' has"},
    {GLOBAL("void f(int[0,3] &k) {} void g() { f(zn); }"), AT(GLOBAL, 37) = "parameter 'k' has"},
    {GLOBAL("void f(int &k[3]) {} void g() { f(a); }"), AT(GLOBAL, 35) = "parameter 'k' has"},
    {GLOBAL("void f(Rec q) {} void g() { f(x); }"), AT(GLOBAL, 31) = "parameter 'q' is a struct,"}};

static const struct row unsupported[] = {
    {GUARD("1.5 > x"), AT(GUARD, 1) = "doubles are not supported"},
    {GUARD("fabs(1) > x"), AT(GUARD, 1) = "the floating-point function 'fabs': not supported;"},
    {GLOBAL("double w[2];"), AT(GLOBAL, 1) = "type 'double' is not supported"},
    {GLOBAL("struct { clock q; } w;"), AT(GLOBAL, 16) = "field 'q' is a clock"},
    {GLOBAL("const string w = \"a\";"), GUARD("w > 1"), AT(GUARD, 1) = "'w' is a string, and used"},
    {GLOBAL("hybrid clock w;"), AT(GLOBAL, 1) = "hybrid clocks are not supported"},
    {GLOBAL("int w = 1.5;"), AT(GLOBAL, 9) = "doubles are not supported"},
    {GLOBAL("void f(clock k) {}"), AT(GLOBAL, 14) = "parameter 'k' is a clock"},
    {GLOBAL("int w = random(1);"), AT(GLOBAL, 9) = "the floating-point function 'random': not"},
    {GLOBAL("clock w;"), GUARD("x ? w > 1 : w < 2"), AT(GUARD, 1) = "clocks in '?:'"},
    {GLOBAL("clock w;"), GUARD("w * 2 > 1"), AT(GUARD, 1) = "arithmetic with a clock"}};

static const struct row doubtful[] = {
    {UPDATE("2"), AT(UPDATE, 1) = "this expression has no effect"},
    {UPDATE("x == 1"), AT(UPDATE, 1) = "this expression has no effect"},
    {UPDATE("pure(1)"), AT(UPDATE, 1) = "this expression has no effect"},
    {UPDATE("x = 1, 1"), AT(UPDATE, 8) = "this expression has no effect"},
    {UPDATE("x = 1, y == 2, z = 3"), AT(UPDATE, 8) = "this expression has no effect"},
    {UPDATE("r"), AT(UPDATE, 1) = "this expression has no effect"},
    {UPDATE("arr(a)"), AT(UPDATE, 1) = "this expression has no effect"},
    {UPDATE("cref(x + 1)"), AT(UPDATE, 1) = "this expression has no effect"},
    {SELECT("x : t"), AT(SELECT, 1) = "select variable 'x' hides another declaration"},
    {SELECT("A : t"), AT(SELECT, 1) = "select variable 'A' hides another declaration"},
    {SELECT("i : t, i : t"), AT(SELECT, 8) = "select variable 'i' hides another declaration"},
    {GLOBAL("double w;"), AT(GLOBAL, 8) = "double 'w' is never used and stays as it is"},
    {GLOBAL("const double w = -0.5;"),
     AT(GLOBAL, 14) = "double 'w' is never used and stays as it is"},
    {GLOBAL("clock w;"), AT(GLOBAL, 7) = "clock 'w' is never used and stays as it is"},
    {GLOBAL("typedef int[0,x] T;"), AT(GLOBAL, 15) = "a bound must be known before the run"},
    {GLOBAL("void f() { x == 1; }"), AT(GLOBAL, 12) = "this expression has no effect"},
    {GLOBAL("void f() { if (x, b) ; }"), AT(GLOBAL, 16) = "this expression has no effect"},
    {GLOBAL("void g() {} void f() { g(); }"), AT(GLOBAL, 24) = "this expression has no effect"}};

START_TEST(accepts_guard) { row_accept(&sample, &(struct row){GUARD(valid_guards[_i])}); }
END_TEST

START_TEST(accepts_update) { row_accept(&sample, &(struct row){UPDATE(valid_updates[_i])}); }
END_TEST

START_TEST(accepts_sync) { row_accept(&sample, &(struct row){SYNC(valid_syncs[_i])}); }
END_TEST

START_TEST(accepts_select) { row_accept(&sample, &(struct row){SELECT(valid_selects[_i])}); }
END_TEST

START_TEST(accepts_global) { row_accept(&sample, &(struct row){GLOBAL(valid_globals[_i])}); }
END_TEST

START_TEST(refuses) { row_refuse(&sample, &invalid[_i], STATUS_INVALID); }
END_TEST

START_TEST(does_not_support) { row_refuse(&sample, &unsupported[_i], STATUS_UNSUPPORTED); }
END_TEST

START_TEST(warns) { row_warn(&sample, &doubtful[_i]); }
END_TEST

/* One mistake gives one message, whatever is built on it. */
START_TEST(does_not_cascade) {
    static const struct row row = {
        GLOBAL("int[0,x] w; int v[2] = {w, w}; typedef int[0,y] T; T q, e;"),
        GUARD("w + v[w] > q && e == q"), UPDATE("q = w, v = v")};
    sample_check(&sample, row.text);
    ck_assert_uint_eq(sample.diag.error_count, 2);
}
END_TEST

static const struct symbol *find(const struct model *model, const char *name) {
    for (uint32_t i = 0; i < model->declarations.count; i++) {
        const struct declaration *declaration = model->declarations.items[i];
        if (declaration->function && !strcmp(declaration->function->symbol->name, name))
            return declaration->function->symbol;
        for (uint32_t j = 0; j < declaration->declarator_count; j++)
            if (!strcmp(declaration->declarators[j].symbol->name, name))
                return declaration->declarators[j].symbol;
    }
    ck_abort_msg("no symbol %s", name);
}

START_TEST(knows_what_functions_do) {
    static const struct row row = {
        GLOBAL("void viaReference() { byref(x); } void local() { int w; byref(w); }"
               "int twice(int p) { return pure(p) + N; } int both() { wr(); return rd(); }")};
    static const struct {
        const char *name;
        bool changes_outside, is_compile_time;
    } expected[] = {{"pure", false, true},  {"imp", true, false},          {"rd", false, false},
                    {"wr", true, false},    {"byref", true, true},         {"arr", false, true},
                    {"make", false, true},  {"viaReference", true, false}, {"local", false, true},
                    {"twice", false, true}, {"both", true, false}};
    const struct model *model = sample_check(&sample, row.text);
    for (int i = 0; i < COUNT(expected); i++) {
        const struct function *function = find(model, expected[i].name)->function;
        ck_assert_msg(function->changes_outside == expected[i].changes_outside, "%s changes",
                      expected[i].name);
        ck_assert_msg(function->is_compile_time == expected[i].is_compile_time, "%s reads",
                      expected[i].name);
    }
    ck_assert(find(model, "N")->is_compile_time);
    ck_assert(!find(model, "x")->is_compile_time);
}
END_TEST

/* Typedefs of each other and structs of structs stay within bounds. */
START_TEST(bounds_nesting_and_sharing) {
    struct buffer text = {0};
    buffer_add_text(&text, "typedef struct { int f; } T0; typedef struct { int f; } U0;");
    for (int i = 0; i < 40; i++)
        buffer_printf(&text, "typedef struct { T%d a, b; } T%d; typedef struct { U%d a, b; } U%d;",
                      i, i + 1, i, i + 1);
    buffer_add_text(&text, "T40 v; T40 f(T40 p, U40 q) { T40 w; return p == q ? p : w; }");
    for (int i = 40; i < 5000; i++) buffer_printf(&text, "typedef T%d T%d;", i, i + 1);
    buffer_add_text(&text, "T5000 deep;");
    struct row row = {GLOBAL(arena_copy(&sample.arena, text.data, text.size))};
    buffer_close(&text);
    sample_check(&sample, row.text);
    ck_assert_uint_eq(sample.diag.error_count, 2);
    ck_assert_ptr_nonnull(strstr(sample.diag.items.items[1].message, "nested too deeply"));
}
END_TEST

Suite *check_suite(void) {
    Suite *suite = suite_create("check");
    TCase *test = tcase_create("rules");
    tcase_add_checked_fixture(test, setup, teardown);
    tcase_add_loop_test(test, accepts_guard, 0, COUNT(valid_guards));
    tcase_add_loop_test(test, accepts_update, 0, COUNT(valid_updates));
    tcase_add_loop_test(test, accepts_sync, 0, COUNT(valid_syncs));
    tcase_add_loop_test(test, accepts_select, 0, COUNT(valid_selects));
    tcase_add_loop_test(test, accepts_global, 0, COUNT(valid_globals));
    tcase_add_loop_test(test, refuses, 0, COUNT(invalid));
    tcase_add_loop_test(test, does_not_support, 0, COUNT(unsupported));
    tcase_add_loop_test(test, warns, 0, COUNT(doubtful));
    tcase_add_test(test, does_not_cascade);
    tcase_add_test(test, knows_what_functions_do);
    tcase_add_test(test, bounds_nesting_and_sharing);
    suite_add_tcase(suite, test);
    return suite;
}
