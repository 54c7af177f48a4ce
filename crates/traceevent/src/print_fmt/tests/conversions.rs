//! Every expected text is what `trace-cmd report -N` 3.1.6 printed for the same format and record.

use super::{check, LITTLE};

#[test]
fn numbers() {
    check(
        &LITTLE,
        &[
            (r#""%d %d %d", REC->a, REC->b, REC->g"#, b"-5 200 -77"),
            (r#""%i %i %i", REC->a, REC->b, REC->g"#, b"-5 200 -77"),
            (r#""%u %u %u", REC->a, REC->b, REC->g"#, b"4294967291 200 4294967219"),
            (r#""%x %x %x", REC->a, REC->b, REC->g"#, b"fffffffb c8 ffffffb3"),
            (r#""%X %X %X", REC->a, REC->b, REC->g"#, b"FFFFFFFB C8 FFFFFFB3"),
            (r#""%o %o %o", REC->a, REC->b, REC->g"#, b"37777777773 310 37777777663"),
            (r#""%ld %ld %ld", REC->a, REC->b, REC->g"#, b"4294967291 200 -77"),
            (
                r#""%lu %lu %lu", REC->a, REC->b, REC->g"#,
                b"4294967291 200 18446744073709551539",
            ),
            (
                r#""%lx %lx %lx", REC->a, REC->b, REC->g"#,
                b"fffffffb c8 ffffffffffffffb3",
            ),
            (r#""%lld %lld %lld", REC->a, REC->b, REC->g"#, b"4294967291 200 -77"),
            (
                r#""%llx %llx %llx", REC->a, REC->b, REC->g"#,
                b"fffffffb c8 ffffffffffffffb3",
            ),
            (r#""%hd %hd %hd", REC->a, REC->b, REC->g"#, b"-5 200 -77"),
            (r#""%hu %hu %hu", REC->a, REC->b, REC->g"#, b"65531 200 65459"),
            (r#""%hhd %hhd %hhd", REC->a, REC->b, REC->g"#, b"-5 -56 -77"),
            (r#""%hhx %hhx %hhx", REC->a, REC->b, REC->g"#, b"fb c8 b3"),
            (r#""%zd %zd %zd", REC->a, REC->b, REC->g"#, b"4294967291 200 -77"),
            (
                r#""%zu %zu %zu", REC->a, REC->b, REC->g"#,
                b"4294967291 200 18446744073709551539",
            ),
            (
                r#""%Lx %Lx %Lx", REC->a, REC->b, REC->g"#,
                b"fffffffb c8 ffffffffffffffb3",
            ),
            (
                r#""%#x %#x %#x", REC->a, REC->b, REC->g"#,
                b"0xfffffffb 0xc8 0xffffffb3",
            ),
            (
                r#""%#lx %#lx %#lx", REC->a, REC->b, REC->g"#,
                b"0xfffffffb 0xc8 0xffffffffffffffb3",
            ),
            (
                r#""%#o %#o %#o", REC->a, REC->b, REC->g"#,
                b"037777777773 0310 037777777663",
            ),
            (
                r#""%8d| %8d| %8d|", REC->a, REC->b, REC->g"#,
                b"      -5|      200|      -77|",
            ),
            (
                r#""%-8d| %-8d| %-8d|", REC->a, REC->b, REC->g"#,
                b"-5      | 200     | -77     |",
            ),
            (
                r#""%08d| %08d| %08d|", REC->a, REC->b, REC->g"#,
                b"-0000005| 00000200| -0000077|",
            ),
            (
                r#""%8x| %8x| %8x|", REC->a, REC->b, REC->g"#,
                b"fffffffb|       c8| ffffffb3|",
            ),
            (
                r#""%08lx| %08lx| %08lx|", REC->a, REC->b, REC->g"#,
                b"fffffffb| 000000c8| ffffffffffffffb3|",
            ),
            (r#""%.3d %.3d %.3d", REC->a, REC->b, REC->g"#, b"-005 200 -077"),
            (
                r#""%8.3d| %8.3d| %8.3d|", REC->a, REC->b, REC->g"#,
                b"    -005|      200|     -077|",
            ),
            (
                r#""%p %p %p", REC->a, REC->b, REC->g"#,
                b"0xfffffffb 0xc8 0xffffffffffffffb3",
            ),
            (
                r#""%16p| %16p| %16p|", REC->a, REC->b, REC->g"#,
                b"0xfffffffb| 0xc8| 0xffffffffffffffb3|",
            ),
        ],
    );
}

#[test]
fn strings() {
    check(
        &LITTLE,
        &[
            (
                r#""%s|%10s|%-10s|%.2s|", REC->s, REC->s, REC->s, REC->s"#,
                b"hello|     hello|hello     |he|",
            ),
            (
                r#""%s|%10s|%.2s|", __get_str(str), __get_str(str), __get_str(str)"#,
                b"string|    string|st|",
            ),
            (r#""%s|%5s|", "lit" "eral", "x""#, b"literal|    x|"),
            (r#""%s", FOO"#, b"FOO"),
            (r#""%s", 5"#, b"5"),
            (r#""%s", 1 + 1"#, b"2"),
            (r#""%s|", REC->b + 1"#, b"|"),
            (r#""%s", REC->ip"#, b"\xc0\xa8\x01\x14"),
            (r#""%s", REC->b"#, b"\xc8"),
            (r#""%s", REC->d"#, b"ffffffff81001010"),
            (r#""%10s|", REC->d"#, b"ffffffff81001010|"),
            (r#""%s|", (char *)REC->s"#, b"|"),
            (r#""%s|", __get_dynamic_array(str)"#, b"|"),
            (r#""%s|", REC->nope"#, b"|"),
            (r#""%s", REC->b ? "yes" : "no""#, b"yes"),
            (r#""%5s|", REC->b == 1 ? "yes" : REC->s"#, b"hello|"),
            (r#""%s", "a\n""#, b"a\\n"),
        ],
    );
}

#[test]
fn stars_take_an_argument() {
    check(
        &LITTLE,
        &[
            (
                r#""%*d|%-*d|%0*x", 5, REC->b, 6, REC->b, 7, REC->b"#,
                b"  200|200   |00000c8",
            ),
            (r#""%.*s|%*s|", 2, REC->s, REC->b - 193, REC->s"#, b"he|  hello|"),
            (r#""%.*d", 5, REC->b"#, b"00200"),
        ],
    );
}

#[test]
fn text_and_letters_that_are_not_known() {
    check(
        &LITTLE,
        &[
            (r#""100%% %d%%", REC->b"#, b"100% 200%"),
            (r#""%c%+d% d%jd %d", REC->b"#, b">c<>+<d> <d>j<d 200"),
            (r#""\\ \t \n \x \" \' \0", REC->b"#, b"\\ \t \n x \" ' 0"),
            (r#""a" "b" "c %d", REC->b"#, b"abc 200"),
            (r#""%d", REC->b, REC->a"#, b"200"),
            (r#""%d", REC->b REC->a"#, b"200"),
            (r#""%d", REC->b )"#, b"200"),
            (r#""%d, foo", 3"#, b"3, foo"),
            (r#""'%d'", REC->b"#, b"'200'"),
            (r#""50%""#, b"50"),
            (r#""plain""#, b"plain"),
            (r#""%d\n|", REC->b"#, b"200\n|"),
        ],
    );
}

#[test]
fn pointers() {
    check(
        &LITTLE,
        &[
            (r#""%p %p", REC->d, 0"#, b"0xffffffff81001010 (nil)"),
            (r#""%ps %pS %pf %pF", REC->d, REC->d, REC->d, REC->d"#, b"do_one do_one+0x10 do_one do_one+0x10"),
            (r#""%pS %ps", REC->b, 0"#, b"0xc8 0x0"),
            (r#""%px %pK %pB %pa %pe|", REC->d, REC->d, REC->d, REC->d, REC->d"#, b"0xffffffff81001010x 0xffffffff81001010K 0xffffffff81001010B 0xffffffff81001010a 0xffffffff81001010e|"),
            (r#""%pSR|", REC->d"#, b"do_one+0x10R|"),
            (r#""%pM %pm %pMF %pMR %pmR", REC->mac, REC->mac, REC->mac, REC->mac, REC->mac"#, b"01:02:ab:cd:ef:10 0102abcdef10 01-02-ab-cd-ef-10 10:ef:cd:ab:02:01 10efcdab0201"),
            (r#""%pI4 %pi4 %pI4h %pI4n %pI4b %pI4l", REC->ip, REC->ip, REC->ip, REC->ip, REC->ip, REC->ip"#, b"192.168.1.20 192.168.001.020 20.1.168.192 192.168.1.20 192.168.1.20 20.1.168.192"),
            (r#""%pI6 %pi6 %pI6c", REC->ip6, REC->ip6, REC->ip6"#, b"2001:0db8:0000:0000:0000:ff00:0042:8329 20010db8000000000000ff0000428329 2001:db8::ff00:42:8329"),
            (r#""%pIS %piS %pISc %pISp %pISpc %pISh|", REC->sa, REC->sa, REC->sa, REC->sa, REC->sa, REC->sa"#, b"10.0.0.1 010.000.000.001 10.0.0.1 10.0.0.1:8080 10.0.0.1:8080 1.0.0.10|"),
            (r#""%pU %pUb %pUB %pUl %pUL", REC->uuid, REC->uuid, REC->uuid, REC->uuid, REC->uuid"#, b"a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf A0A1A2A3-A4A5-A6A7-A8A9-AAABACADAEAF a3a2a1a0-a5a4-a7a6-a8a9-aaabacadaeaf A3A2A1A0-A5A4-A7A6-A8A9-AAABACADAEAF"),
            (r#""%*ph %*phC %*phD %*phN|", 4, __get_dynamic_array(dyn), 4, __get_dynamic_array(dyn), 4, __get_dynamic_array(dyn), 4, __get_dynamic_array(dyn)"#, b"0a 0b 0c 0d 0a:0b:0c:0d 0a-0b-0c-0d 0a0b0c0d|"),
            (r#""%ph|%*ph|", __get_dynamic_array(dyn), 100, __get_dynamic_array(dyn)"#, b"0a|0a 0b 0c 0d 0e 0f 10 11|"),
            (r#""%*pbl|", 64, REC->e"#, b"0xfffffff0bl|"),
            (r#""%pM %pI4 %pI6 %pU", REC->ip, REC->mac, REC->ip, REC->ip"#, b"INVALIDMAC INVALIDIPv4 INVALIDIPv6 INVALIDUUID"),
            (r#""%pM", __get_dynamic_array(dyn)"#, b"ARG TYPE NOT FIELD BUT 10"),
            (r#""%ph", REC->ip"#, b"ARG TYPE NOT FIELD BUT 2"),
            (r#""%pISpc|", __get_str(str)"#, b"ARG NOT FIELD NOR DYNAMIC ARRAY BUT TYPE 8|"),
            (r#""%pISpc|", __get_dynamic_array(dyn)"#, b"|"),
            (r#""%pI4 %pM", (void *)REC->ip, (u8 *)REC->mac"#, b"192.168.1.20 01:02:ab:cd:ef:10"),
            (r#""%-20pM|%20p|", REC->mac, REC->d"#, b"01:02:ab:cd:ef:10|0xffffffff81001010|"),
        ],
    );
}

#[test]
fn functions() {
    check(
        &LITTLE,
        &[
            (r#""%s", __print_symbolic(REC->b, { 0xc8, "x" }, { 1, "y" })"#, b"x"),
            (
                r#""%s %6s|%-6s|", __print_symbolic(7, { 1, "x" }), __print_symbolic(1, { 1, "x" }), __print_symbolic(1, { 1, "x" })"#,
                b"0x7      x|x     |",
            ),
            (r#""%s", __print_symbolic(REC->b - 201, { -5, "m5" })"#, b"m5"),
            (
                r#""%s", __print_symbolic(REC->b - 205, { -5, "m5" })"#,
                b"0xfffffffffffffffb",
            ),
            (r#""%s", __print_symbolic(8, { 1 << 3, "x" })"#, b"x"),
            (r#""%s", __print_symbolic(REC->b, { FOO, "x" })"#, b"0xc8"),
            (r#""%s", __print_symbolic(3, { NET_RX_SOFTIRQ, "x" })"#, b"x"),
            (r#""%s", __print_symbolic(REC->b, )"#, b"0xc8"),
            (r#""%s", __print_symbolic(REC->b, { 200, x })"#, b"x"),
            (r#""%d", __print_symbolic(REC->b, { 200, "x" })"#, b"0"),
            (
                r#""%s", __print_flags(REC->b, "|", { 8, "a" }, { 0x40, "b" }, { 1, "z" })"#,
                b"a|b|0x80",
            ),
            (
                r#""%s", __print_flags(REC->b, "", { 8, "a" }, { 0x40, "b" })"#,
                b"ab0x80",
            ),
            (
                r#""%5s|", __print_flags(7, "|", { 1, "abc" }, { 2, "de" })"#,
                b"  abc|   de|0x4|",
            ),
            (r#""%s|", __print_flags(0, "|", { 8, "a" }, { 0, "none" })"#, b"|"),
            (r#""%s|", __print_flags(0, "|", { 8, "a" }, { -1, "none" })"#, b"none|"),
            (
                r#""%s", __print_flags(3, "|", { 8 | 1, "a" }, { (1 << 1), "b" })"#,
                b"b|0x1",
            ),
            (
                r#""%s", __print_flags(REC->g, ":", { (1UL << (40)), "b" })"#,
                b"b:0xfffffeffffffffb3",
            ),
            (r#""%s", __print_hex(REC->mac, 6)"#, b"01 02 ab cd ef 10"),
            (r#""%s", __print_hex_str(REC->mac, REC->b - 196)"#, b"0102abcd"),
            (
                r#""%s", __print_hex(__get_dynamic_array(dyn), __get_dynamic_array_len(dyn))"#,
                b"0a 0b 0c 0d 0e 0f 10 11",
            ),
            (r#""%12s|", __print_hex(REC->mac, 2)"#, b"01 02|"),
            (r#""%s", __print_array(REC->mac, 6, 1)"#, b"1 2 171 205 239 16"),
            (r#""%s", __print_array(REC->arr, 2, 2)"#, b"513 1027"),
            (r#""%s", __print_array(REC->s, 1, 8)"#, b"8680688760317044072"),
            (
                r#""%s", __print_array(__get_dynamic_array(dyn), __get_dynamic_array_len(dyn) / 4, 4)"#,
                b"218893066 286265102",
            ),
            (r#""%s", __print_array(REC->s, 1, 3)"#, b"BAD SIZE:3 0x68"),
            (
                r#""%s|%30s|%.3s|", __get_bitmask(mask), __get_bitmask(mask), __get_bitmask(mask)"#,
                b"80000000,0001000f|             80000000,0001000f|800|",
            ),
            (
                r#""%s|%-12s|", __get_cpumask(mask), __get_rel_cpumask(mask)"#,
                b"0-3,16,63|0-3,16,63   |",
            ),
            (r#""%s|", __get_str(nope)"#, b"|"),
        ],
    );
}
