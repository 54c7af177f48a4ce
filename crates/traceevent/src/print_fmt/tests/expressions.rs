//! Every expected text is what `trace-cmd report -N` 3.1.6 printed for the same format and record.

use super::{assert_fails, check, BIG, LITTLE, LITTLE32};

/// Operators of one strength group to the right, brackets at the right of a tighter operator are lost, a conditional takes
/// what follows it.
#[test]
fn operators_group_as_in_trace_cmd() {
    check(
        &LITTLE,
        &[
            (r#""%lld", 1 + 2 * 3"#, b"7"),
            (r#""%lld", 2 * 3 + 1"#, b"7"),
            (r#""%lld", 10 - 4 - 3"#, b"9"),
            (r#""%lld", 1 << 2 + 1"#, b"8"),
            (r#""%lld", 6 & 3 == 3"#, b"0"),
            (r#""%lld", 4 | 1 ^ 3 & 2"#, b"7"),
            (r#""%lld", 1 || 0 && 0"#, b"1"),
            (r#""%lld", 8 / 4 * 2"#, b"1"),
            (r#""%lld", 8 - 4 + 2"#, b"2"),
            (r#""%lld", 1 & 2 | 4"#, b"4"),
            (r#""%lld", REC->b - REC->b * 2 + 5"#, b"-205"),
            (r#""%lld", REC->b - 1 - 1"#, b"200"),
            (r#""%lld", REC->b * (REC->b + 1)"#, b"40001"),
            (r#""%lld", REC->b * (REC->b - 1) - 3"#, b"39996"),
            (r#""%lld", REC->b * (REC->b - 1) * 3"#, b"119999"),
            (r#""%lld", REC->b - (REC->b * 2) - 3"#, b"-197"),
            (r#""%lld", REC->b - (REC->b & 0xf)"#, b"0"),
            (r#""%lld", (REC->d & 0xff) >> 2"#, b"4"),
            (r#""%lld", ((REC->d & 0xff) >> 2) & 1"#, b"0"),
            (r#""%lld", REC->b * -1 + 3"#, b"-197"),
            (r#""%lld", 2 * -1"#, b"-1"),
            (r#""%lld", 1 ? 2 : 3 + 1"#, b"3"),
            (r#""%lld", 1 ? 0 : 1 ? 2 : 3"#, b"3"),
            (r#""%lld", 0 ? 1 : 0 ? 2 : 3"#, b"3"),
            (r#""%lld", REC->b ? REC->b ? 2 : 3 : 4"#, b"2"),
            (r#""%lld", REC->b > 1 ? REC->b > 1000 ? 4 : 5 : 6"#, b"5"),
            (r#""%lld", 2 * (REC->b ? 2 : 3)"#, b"2"),
            (r#""%lld", REC->b & 0xff | 1 << 9"#, b"712"),
            (r#""%lld", REC->b == 200 && REC->b == 3 || 1"#, b"1"),
            // As func_repeats has it.
            (r#""%lld", (((u64)(REC)->b << 32) | (REC)->b)"#, b"858993459400"),
            (r#""%lld", (REC)->b"#, b"200"),
        ],
    );
}

#[test]
fn numbers_are_unsigned_and_64_bits_wide() {
    check(
        &LITTLE,
        &[
            (r#""%lld", -7 / 2"#, b"9223372036854775804"),
            (r#""%lld", -1 < 0 ? 5 : 6"#, b"6"),
            (r#""%lld", REC->a"#, b"4294967291"),
            (r#""%lld", REC->c"#, b"65533"),
            (r#""%lld", REC->g"#, b"-77"),
            (r#""%lld", REC->a < 0"#, b"0"),
            (r#""%lld", REC->g < 0"#, b"0"),
            (r#""%lld", REC->g == -77"#, b"1"),
            (r#""%lld", REC->g / 7"#, b"2635249153387078791"),
            (r#""%lld", REC->g >> 4"#, b"1152921504606846971"),
            (r#""%lld", REC->a * 2"#, b"8589934582"),
            (r#""%lld", REC->b << 40"#, b"219902325555200"),
            (r#""%lld", REC->d % 10"#, b"6"),
            (r#""%lld", -REC->b"#, b"-200"),
            (r#""%lld", ~REC->b"#, b"-201"),
            (r#""%lld", !REC->b"#, b"0"),
            (r#""%lld", !!REC->b + 1"#, b"0"),
            (r#""%lld", ~0 & 0xff"#, b"255"),
            (r#""%lld", REC->b ^ 3"#, b"0"),
        ],
    );
}

#[test]
fn casts_cut_to_the_types_that_trace_cmd_knows() {
    check(
        &LITTLE,
        &[
            (r#""%lld", (unsigned char)0x1ff"#, b"255"),
            (r#""%lld", (short)0xffff"#, b"65535"),
            (r#""%lld", (u32)(s8)0xff"#, b"255"),
            (r#""%lld", (int)REC->d"#, b"2164264976"),
            (r#""%lld", (unsigned int)REC->g"#, b"4294967219"),
            (r#""%lld", (u16)REC->d"#, b"4112"),
            (r#""%lld", (s8)REC->g"#, b"179"),
            (r#""%lld", (char)REC->g"#, b"179"),
            (r#""%lld", (u64)REC->g"#, b"-77"),
            (r#""%lld", (__u32)REC->g"#, b"-77"),
            (r#""%lld", (long)REC->c"#, b"65533"),
            (r#""%lld", (pid_t)REC->d"#, b"-2130702320"),
            (r#""%lld", (unsigned long long)REC->a"#, b"4294967291"),
            (r#""%lld", (struct page *)REC->d"#, b"-2130702320"),
            (r#""%lld", (const char *)REC->d"#, b"-2130702320"),
            (r#""%lld", (void *)(REC->d + 1)"#, b"-2130702319"),
            (r#""%lld", (u32)REC->d + 1"#, b"2164264977"),
            (r#""%lld", (unsigned)-1"#, b"-1"),
            (r#""%lld", (u64)(unsigned long)REC->d"#, b"-2130702320"),
        ],
    );
}

#[test]
fn constants_and_names() {
    check(
        &LITTLE,
        &[
            (r#""%lld", 010"#, b"8"),
            (r#""%lld", 0x10UL"#, b"16"),
            (r#""%lld", 1UL << 3"#, b"8"),
            (r#""%lld", 0xffffffffffffffff"#, b"-1"),
            (r#""%lld", sizeof(int)"#, b"4"),
            (r#""%lld", sizeof(unsigned long)"#, b"8"),
            (r#""%lld", sizeof(long long) * 2"#, b"16"),
            (r#""%lld", 'A'"#, b"0"),
            (r#""%lld", FOO"#, b"0"),
            (r#""%lld", FOO BAR"#, b"0"),
            (r#""%lld", do_one"#, b"-2130702336"),
            (r#""%lld", do_one - REC->b"#, b"-2130702536"),
            (r#""%lld", do_one + 1"#, b"1"),
            (r#""%lld", __builtin_expect(!!(REC->b == 200), 1)"#, b"1"),
            (
                r#""%d %d", __get_dynamic_array_len(str), __get_dynamic_array_len(dyn)"#,
                b"7 8",
            ),
        ],
    );
}

/// The index into a dynamic array counts bytes.
#[test]
fn elements_of_arrays() {
    check(
        &LITTLE,
        &[
            (r#""%lld", REC->mac[1]"#, b"2"),
            (r#""%lld", REC->arr[1]"#, b"1027"),
            (r#""%lld", REC->s[0]"#, b"104"),
            (r#""%lld", (u16)REC->arr[1]"#, b"1027"),
            (r#""%lld", ((u8*)REC->arr)[1]"#, b"3"),
            (r#""%lld", ((u32*)REC->mac)[0]"#, b"1"),
            (r#""%lld", -REC->mac[1]"#, b"-2"),
            (r#""%lld", REC->a + REC->mac[1]"#, b"4294967293"),
            (r#""%lld", 1 + REC->mac[1] * 2"#, b"5"),
            (r#""%lld", REC->mac[1 ]"#, b"2"),
            (r#""%lld", REC->dyn[0]"#, b"136"),
            (r#""%lld", ((u8*)__get_dynamic_array(dyn))[2]"#, b"12"),
            (r#""%lld", ((u16*)__get_dynamic_array(dyn))[1]"#, b"11"),
            (
                r#""%lld", ((unsigned long *)__get_dynamic_array(mask))[0]"#,
                b"-9223372036854710257",
            ),
        ],
    );
}

/// What trace-cmd does not swap: addresses of strings, what `__print_array` prints.
#[test]
fn big_endian_numbers() {
    check(
        &BIG,
        &[
            (r#""%lld", REC->a"#, b"4294967291"),
            (r#""%lld", REC->c"#, b"65533"),
            (r#""%lld", REC->d"#, b"-2130702320"),
            (r#""%lld", REC->arr[1]"#, b"1027"),
            (r#""%lld", ((u16*)__get_dynamic_array(mask))[0]"#, b"128"),
            (r#""%s", REC->d"#, b"10100081ffffffff"),
            (r#""%s", __print_array(REC->arr, 2, 2)"#, b"258 772"),
            (r#""%d", __get_dynamic_array_len(dyn)"#, b"8"),
            (r#""%s %s", __get_str(str), __get_rel_str(str)"#, b"string string"),
            (
                r#""%s|%s", __get_bitmask(mask), __get_cpumask(mask)"#,
                b"0f000100,00000080|7,40,56-59",
            ),
        ],
    );
}

/// What is as large as a `long` is the address of a string.
#[test]
fn thirty_two_bit_longs() {
    check(
        &LITTLE32,
        &[
            (r#""%lu", REC->d"#, b"18446744071578849296"),
            (r#""%s", REC->e"#, b"fffffff0"),
            (r#""%lx", sizeof(long)"#, b"4"),
            (r#""%p", REC->e"#, b"0xfffffff0"),
            (r#""%ld", (long)REC->a"#, b"4294967291"),
        ],
    );
}

#[test]
fn what_trace_cmd_does_not_parse() {
    assert_fails(r#""%d", (REC)"#);
    assert_fails(r#""%d", (REC) + 1"#);
    for print_fmt in [
        r#""%lld", foo(3)"#,
        r#""%lld", *REC->mac"#,
        r#""%lld", &REC->mac"#,
        r#""%lld", ((struct foo *)REC->mac)->x"#,
        r#""%lld", REC->mac[1 + 1]"#,
        r#""%lld", sizeof(u64)"#,
        r#""%lld", sizeof(REC->s)"#,
        r#""%lld", (1,2)"#,
        r#""%lld", {1}"#,
        r#""%lld", a.b"#,
        r#""%lld", REC->a = 3"#,
        r#""%lld", REC->a++"#,
        r#""%lld", (u64)~REC->b"#,
        r#""%lld", __get_dynamic_array(dyn)[2]"#,
        r#""%lld", __print_symbolic(REC->b, { REC->b, "x" })"#,
        r#""%lld", __print_symbolic(REC->b)"#,
        r#""%lld", __print_flags(REC->b, "|")"#,
        r#""%lld", __print_hex(&REC->mac[1], 2)"#,
        r#""%lld", __print_ns_to_secs(REC->b)"#,
        r#""%lld", ({ int x; x; })"#,
        r#""%lld", REC->b ; foo"#,
        r#""%lld", REC->b }"#,
        r#""%lld", REC->b, "#,
        r#""%lld", REC->b, {1, 2}"#,
        r#"no format"#,
        r#"REC->b"#,
        r#""abc","#,
        r#""abc" %d"#,
        r#"("%d", REC->b)"#,
        r#""tab	%d", REC->b"#,
        r#""%d %d", REC->b"#,
        r#""%*d", REC->b"#,
        r#""%*.*d", 1, 2, REC->b"#,
    ] {
        assert_fails(print_fmt);
    }
}
