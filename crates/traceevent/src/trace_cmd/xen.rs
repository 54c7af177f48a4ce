//! The name of a hypercall, for print fmts (`xen_hypercall_name`).

/// By number, as in Xen's public headers (`__HYPERVISOR_*`); those from 48 on are the architecture's.
const HYPERCALLS: [&str; 35] = [
    "set_trap_table",
    "mmu_update",
    "set_gdt",
    "stack_switch",
    "set_callbacks",
    "fpu_taskswitch",
    "sched_op_compat",
    "dom0_op",
    "set_debugreg",
    "get_debugreg",
    "update_descriptor",
    "",
    "memory_op",
    "multicall",
    "update_va_mapping",
    "set_timer_op",
    "event_channel_op_compat",
    "xen_version",
    "console_io",
    "physdev_op_compat",
    "grant_table_op",
    "vm_assist",
    "update_va_mapping_otherdomain",
    "iret",
    "vcpu_op",
    "set_segment_base",
    "mmuext_op",
    "acm_op",
    "nmi_op",
    "sched_op",
    "callback_op",
    "xenoprof_op",
    "event_channel_op",
    "physdev_op",
    "hvm_op",
];

/// `(name)`; nothing for a number without a name.
pub(super) fn hypercall_name(number: u64, out: &mut Vec<u8>) {
    let named = usize::try_from(number).ok().and_then(|at| HYPERCALLS.get(at));
    match (named, number) {
        (Some(name), _) if !name.is_empty() => {
            out.push(b'(');
            out.extend_from_slice(name.as_bytes());
            out.push(b')');
        }
        (_, 48..=55) => {
            out.extend_from_slice(b"(arch_");
            out.push(b'0' + (number - 48) as u8);
            out.push(b')');
        }
        _ => {}
    }
}
