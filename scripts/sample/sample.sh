# sample.sh - job script that records corelane-sample.dat, the built-in sample trace of Corelane.
#
# Run it with the small qemu-guest recorder "tracelab" (a Debian 12 guest with 32 CPUs):
#     record.sh -c 32 -m 4000 -o OUTDIR -j sample.sh
# It runs inside the guest.  tracelab provides: rec NAME RECORD-ARGUMENTS -- COMMAND (trace-cmd record into
# OUTDIR/NAME.dat), $SCHED (-e sched -v -e sched_stat_runtime), $B (its programs) and $OUTDISK (a spare disk).
# Guest programs: barrier = N threads that each compute, then wait for each other at a barrier, again and again
# (the shape of the NAS benchmark UA); control = the perl script below, which disturbs and confines them.
#
# The story, in the order of the trace:
#   lead     sleep 1, so that --after-sleep has a task called "sleep" whose exit is time 0
#   phase 1  ua.C.x: 32 threads on 32 CPUs, left alone; 10 ms of work per barrier step and thread
#   phase 2  the same threads, disturbed by the kernel: kcompactd0 compacts memory that was fragmented on
#            purpose, vmstat refreshes put a kworker on every CPU, a kworker flushes what control writes to disk
#   phase 3  sched_setaffinity confines the 32 threads to CPUs 0-7: up to 24 tasks wait while 24 CPUs idle
#   phase 4  sched_setaffinity allows them all CPUs again; they spread over the machine, until they are killed
# control writes a line to trace_marker when each phase begins.

note "fragment the memory: 256 KiB files on tmpfs, every second one deleted"
vm=/proc/sys/vm
echo 0 > $vm/compaction_proactiveness                                      # kcompactd0 sleeps until phase 2
echo 10 > $vm/dirty_expire_centisecs; echo 20 > $vm/dirty_writeback_centisecs       # flush written data soon
perl -e '
    my $block = "x" x 262144; mkdir "frag";
    for my $i (1..6000) { open(my $f, ">", "frag/$i") or die; syswrite($f, $block) or die; }
    unlink "frag/" . 2 * $_ for 1..3000;'
cat /proc/buddyinfo

cp $B/barrier ./ua.C.x                                                     # the name the paper gives its NAS run

# control: starts ua.C.x, then neither forks nor executes while the 32 threads run, since that takes seconds on busy emulated CPUs
cat > control.pl <<'PERL'
$0 = "control";                                                            # its comm in the trace
my $ua;
my $zeros = "\0" x 262144;
open(my $disk, "+<", $ENV{OUTDISK}) or die "disk: $!";
open(my $marker, ">", "/sys/kernel/tracing/trace_marker") or die "marker: $!";
sub put { my ($file, $text) = @_; open(my $f, ">", $file) or die "$file: $!"; syswrite($f, $text); close $f; }
sub mark { syswrite($marker, "$_[0]\n"); }
sub nap { select(undef, undef, undef, $_[0]); }
sub confine {                                                              # sched_setaffinity of every thread
    my $mask = pack("Q", $_[0]);
    opendir(my $dir, "/proc/$ua/task") or die "task: $!";
    for my $tid (grep { /^\d+$/ } readdir $dir) {
        syscall(203, $tid + 0, 8, $mask) == 0 or warn "sched_setaffinity $tid: $!";
    }
}
mark("phase 1: 32 threads of ua.C.x on 32 CPUs");
$ua = fork;
if ($ua == 0) { exec "./ua.C.x", qw(-n 32 -i 9999 -w 10000 -j 1000); }
setpriority(0, 0, -10);                                                    # do not wait behind the 32 threads
nap(5);
mark("phase 2: kcompactd, kworkers and disk writes");
put("/proc/sys/vm/compaction_proactiveness", 100);
my $end = time + 5;
while (time < $end) {
    put("/proc/sys/vm/stat_refresh", 1);
    sysseek($disk, 2 << 30, 0);
    syswrite($disk, $zeros) for 1..12;
    nap(0.6);
}
put("/proc/sys/vm/compaction_proactiveness", 0);
nap(0.4);
mark("phase 3: ua.C.x confined to CPUs 0-7");
confine(0xff);
nap(4.5);
mark("phase 4: ua.C.x released to all CPUs");
confine(0xffffffff);
nap(4.5);
mark("end: ua.C.x killed");
kill("TERM", $ua);
waitpid($ua, 0);
nap(0.3);
PERL

rec corelane-sample $SCHED -q -- bash -c 'sleep 1; exec perl control.pl'
cat /out/corelane-sample.rec.log /proc/buddyinfo
