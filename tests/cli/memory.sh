# Cases of the limit on memory, read by run.sh; helpers are there.

if group memory_limits; then
    # Four hundred bytes that are a million processes: more than any of these limits.
    echo '<nta><declaration/><template><name>P</name><parameter>int[0,999999] id</parameter>
<location id="a"/><location id="b"/><init ref="a"/><transition><source ref="a"/><target ref="b"/></transition>
</template><system>system P;</system></nta>' >crowd.xml
    rm -f o.*
    for command in info suggest check decide 'export --to promela -o o.pml' 'refines crowd.xml' \
        'certify crowd.xml --exact'; do
        # shellcheck disable=SC2086 # several arguments
        run "a crowd, ${command%% *}" 5 'limit on memory' ${command%% *} crowd.xml \
            $(expr "$command" : '[^ ]* \(.*\)') --max-memory 80M
    done
    run 'a crowd, abstract' 5 'limit on memory' crowd.xml --auto --may --max-memory 80M -o o.xml
    expect 'nothing is written' test ! -e o.xml -a ! -e o.json -a ! -e o.pml
    # A model as large as that takes its time to be read, and memory.
    python3 "$root/benchmarks/large.py" 12 -o long.xml
    for command in info draw; do
        run "a long model, $command" 5 'limit on memory' $command long.xml --max-memory 1k
    done
    expect 'which is less than it takes' sh -c "ulimit -v 400000; ! \"$VARABS\" info long.xml >out 2>&1"
    # An edge with very many values, which states do not count.
    model 'int[0,999999] x;' 'true' 'x = i' |
        sed 's|<label kind="guard">|<label kind="select">i : int[0,399999]</label>&|' >values.xml
    run 'many values' 5 'limit on memory|--max-memory' check values.xml --max-memory 150M
fi
