# Cases of `varabs draw`, read by run.sh; helpers are there.

is_svg() { xmllint --noout "$1" && head -n 2 "$1" | grep -q '<svg'; }

if group draw; then
    mkdir -p drawn && cp model.xml drawn/
    sed 's/x = m, m/x = 1 - m, m/' model.xml >drawn/after.xml
    run 'draw, the default' 0 '^drawing: drawn/model.svg$' draw drawn/model.xml
    expect 'stands beside the model' is_svg drawn/model.svg
    run 'draw a comparison' 0 '^drawing: drawn/after.svg$' draw drawn/model.xml drawn/after.xml
    expect 'stands beside the second' is_svg drawn/after.svg
    expect 'with a legend' grep -q '>removed<' drawn/after.svg
    expect 'with the text before' grep -q 'line-through.*x = m, m = 1 - m</text>' drawn/after.svg
    run 'draw to standard output' 0 '^<svg' draw model.xml -o -
    cp model.xml in
    run 'draw standard input' 0 '^<svg' draw -
    run 'draw a comparison with it' 0 '^<svg' draw drawn/after.xml -
    run 'draw standard input twice' 2 'only once' draw - -
    rm in
    run 'draw one template' 0 '>Q<' draw model.xml --template Q -o -
    expect 'and no other' test -z "$(grep '>P(' out)"
    run 'draw an unknown template' 2 "there is no template 'R'" draw model.xml --template R -o r.svg
    expect 'nothing is written' test ! -e r.svg
    run 'draw onto the model' 2 'choose another name' draw model.xml -o model.xml
    run 'draw onto the other model' 2 'choose another name' draw model.xml drawn/after.xml \
        -o drawn/../drawn/after.xml
    expect 'the input is untouched' untouched
    run 'draw nothing' 2 'the name of a model is missing' draw
    run 'draw three models' 2 'only two models' draw model.xml model.xml model.xml
    run 'draw with --may' 2 'no option of `varabs draw`' draw model.xml --may
    run 'draw a missing file' 3 'absent.xml: error: cannot read' draw absent.xml
    run 'draw a missing second file' 3 'absent.xml: error: cannot read' draw model.xml absent.xml
    run 'draw no model' 3 'error: ' draw "$0"
    run 'draw into nowhere' 2 'error: ' draw model.xml -o no/where.svg
    echo '<nta><template><name>&lt;T&gt;</name><location id="a"><label kind="invariant">)(
        </label></location><init ref="a"/></template><system>)</system></nta>' >broken.xml
    run 'draw what cannot be parsed' 0 '' draw broken.xml
    expect 'is well-formed' is_svg broken.svg
    run 'draw --help' 0 'usage: varabs draw' draw --help
    run 'draw for LaTeX' 0 '^drawing: drawn/model.tex$' draw model.xml -o drawn/model.tex
    expect 'is a document' grep -Fqx '\end{document}' drawn/model.tex
    expect 'with a picture of each template' test "$(grep -c '^.begin{tikzpicture}' drawn/model.tex)" = 3
    expect 'at the same places' grep -Eq '^.filldraw.* \(-?[0-9.]+,-?[0-9.]+\) circle' drawn/model.tex
    run 'a comparison for LaTeX' 0 '' draw model.xml drawn/after.xml --template P -o drawn/after.tex
    expect 'has what is gone' grep -Fq 'varabs gone,text=varabsRemoved] at ' drawn/after.tex
    expect 'and one picture' test "$(grep -c '^.begin{tikzpicture}' drawn/after.tex)" = 1
    sed 's|<name>P</name>|<name>P\\input{x}%\&amp;$_#~^中</name>|; s/x = m, m/x = 1 % m, m/' model.xml >drawn/hostile.xml
    run 'draw hostile names for LaTeX' 0 '' draw model.xml drawn/hostile.xml -o drawn/hostile.tex
    expect 'has them as text' grep -Fq 'P\textbackslash{}input\{x\}\%\&$\mathdollar$\_\#\textasciitilde{}\textasciicircum{}U+4E2D' drawn/hostile.tex
    run 'a picture that is none' 2 'choose a name that ends in .svg or .tex' draw model.xml -o drawn/model.png
    if command -v pdflatex >/dev/null && kpsewhich standalone.cls booktabs.sty >/dev/null; then
        (cd drawn && pdflatex -interaction=batchmode hostile.tex) >out 2>&1
        expect 'pdflatex takes it' test $? -eq 0
        expect 'and makes pages of it' test -s drawn/hostile.pdf
        "$VARABS" grid model.xml --remove x --latex drawn/g.tex >out 2>&1
        echo '\documentclass{article}\usepackage{booktabs}\begin{document}\input{g}\end{document}' >drawn/paper.tex
        (cd drawn && pdflatex -interaction=batchmode paper.tex) >out 2>&1
        expect 'and the table of a grid' test $? -eq 0
    fi
    expect 'no temporary file stays' no_temporary
fi

if group html; then
    run 'a page over the input' 2 "'model.xml' is an input; choose another name for the page" model.xml \
        --remove x --may --html model.xml
    run 'a page nowhere' 2 'cannot write' check model.xml --html no/where.html
    expect 'nothing is written' test ! -e model.may.html
    expect 'the input is untouched' untouched
    run 'a page of a command without' 2 '--html is no option of' draw model.xml --html p.html
    run 'a page to standard output' 1 '^<!DOCTYPE html>$' check full.xml --query 'A[] false' --html -
    expect 'and nothing else' test "$(tail -n 1 out)" = '</html>'
    run 'two results on standard output' 2 "'-' is named for the result and the page" check model.xml \
        --json - --html -
    run 'a page over the report' 2 "named for the report and the page" model.xml --remove x --may \
        --report p.html --html p.html
    run 'a page beside the model' 0 'report: ' model.xml --remove x --may --html p.html
    expect 'is whole' grep -q '^</html>$' p.html
fi
