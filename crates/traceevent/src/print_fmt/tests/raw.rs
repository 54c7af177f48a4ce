//! Every expected text is what `trace-cmd report -R` 3.1.6 printed for the same format and record.

use super::{check_raw, LITTLE};

#[test]
fn numbers_are_printed_as_the_print_fmt_does() {
    check_raw(
        &LITTLE,
        &[
            (r#""x""#, b" a=-5 b=200 c=-3 d=0xffffffff81001010 s=hello e=4294967280"),
            (
                r#""a %x b %x", REC->a, REC->b"#,
                b" a=fffffffb b=c8 c=-3 d=0xffffffff81001010 s=hello e=4294967280",
            ),
            (
                r#""b %x a %x", REC->b, REC->a"#,
                b" a=fffffffb b=200 c=-3 d=0xffffffff81001010 s=hello e=4294967280",
            ),
            (
                r#""b %x a %x|", REC->b, REC->a"#,
                b" a=fffffffb b=c8 c=-3 d=0xffffffff81001010 s=hello e=4294967280",
            ),
            (
                r#""a 0x%x b 0x%x", REC->a, REC->b"#,
                b" a=0xfffffffb b=0xc8 c=-3 d=0xffffffff81001010 s=hello e=4294967280",
            ),
            (
                r#""a=%x", (u8)REC->a"#,
                b" a=fb b=200 c=-3 d=0xffffffff81001010 s=hello e=4294967280",
            ),
            (
                r#""a=%x", REC->a + 1"#,
                b" a=-5 b=200 c=-3 d=0xffffffff81001010 s=hello e=4294967280",
            ),
            (
                r#""d=%pS", (void *)REC->d"#,
                b" a=-5 b=200 c=-3 d=do_one+0x10 s=hello e=4294967280",
            ),
            (
                r#""d=0x%lx0x%x", REC->d, REC->e"#,
                b" a=-5 b=200 c=-3 d=0xffffffff81001010 s=hello e=0xfffffff0",
            ),
            (
                r#""%s a=%x", foo(REC->b), REC->a"#,
                b" a=-5 b=200 c=-3 d=0xffffffff81001010 s=hello e=4294967280",
            ),
            (
                r#""b=%*d", 10, REC->b"#,
                b" a=-5 b=       200 c=-3 d=0xffffffff81001010 s=hello e=4294967280",
            ),
        ],
    );
}
