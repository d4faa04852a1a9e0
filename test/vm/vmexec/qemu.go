package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

const qemu = "qemu-system-x86_64"

// machine is a virtual machine in QEMU. It always emulates the processor and never uses KVM: many hosts with
// /dev/kvm are guests themselves, where KVM fails or is slower.
type machine struct {
	kernel string // file with the uncompressed kernel
	initrd string
	tmp    string // folder for sockets and the console
	icount bool   // the guest's clock counts instructions
	cpus   int
	memory int // [MiB]
}

func (m machine) console() string { return filepath.Join(m.tmp, "console") }
func (m machine) output() string  { return filepath.Join(m.tmp, "output") }
func (m machine) line() string    { return filepath.Join(m.tmp, "line") }

// args returns QEMU's arguments.
func (m machine) args() []string {
	// Without ERMS the kernel copies and clears memory by words: a repeated instruction costs the emulator the same for
	// a byte as for eight. The self-tests of the kernel's ciphers would take a third of its start, and the protection of
	// its own memory, the removal of lock prefixes and the clearing of all memory it hands out a tenth.
	a := []string{
		"-M", "q35", "-accel", "tcg", "-cpu", "max,erms=off", "-m", strconv.Itoa(m.memory),
		"-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
		"-kernel", m.kernel, "-initrd", m.initrd,
		"-append", "console=ttyS0 panic=-1 quiet random.trust_cpu=on mitigations=off cryptomgr.notests " +
			"rodata=off noreplace-smp init_on_alloc=0",
		"-serial", "file:" + m.console(),
		"-serial", "unix:" + m.output(),
		"-device", fmt.Sprintf("isa-debug-exit,iobase=%#x,iosize=4", debugPort),
	}
	a = append(a, m.lineArgs()...)
	if m.icount {
		return append(a, "-smp", "1", "-icount", "shift=1,sleep=off")
	}
	return append(a, "-smp", strconv.Itoa(m.cpus))
}

// lineArgs returns the arguments that connect the third and the fourth serial port: one listens on a socket, the
// other connects to it. Each has its own interrupt.
func (m machine) lineArgs() []string {
	return []string{
		"-chardev", "socket,id=a,server=on,wait=off,path=" + m.line(),
		"-chardev", "socket,id=b,path=" + m.line(),
		"-device", "isa-serial,chardev=a,index=2,irq=10",
		"-device", "isa-serial,chardev=b,index=3,irq=11",
	}
}

// run boots the machine, copies the tests' output to out and returns the first status of a test that is not 0. If
// anything failed, it prints the guest's console on stderr.
func (m machine) run(ctx context.Context, out *output) (int, error) {
	if _, err := exec.LookPath(qemu); err != nil {
		return 0, fmt.Errorf("%s not found; apt-get install -y --no-install-recommends qemu-system-x86", qemu)
	}
	listen, err := net.Listen("unix", m.output())
	if err != nil {
		return 0, err
	}
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		if conn, err := listen.Accept(); err == nil {
			out.copy(conn)
		}
	}()
	cmd := exec.CommandContext(ctx, qemu, m.args()...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	err = cmd.Run()
	listen.Close()
	<-copied
	code, err := guestStatus(ctx, err)
	err = out.end(err)
	if code != 0 || err != nil {
		m.showConsole()
	}
	return code, err
}

// guestStatus returns the guest's status from the error of QEMU's process, or an error if the machine failed.
func guestStatus(ctx context.Context, err error) (int, error) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return 0, errors.New("the machine did not finish in time; set a longer -timeout, or see the console above")
	}
	if ctx.Err() != nil {
		return 0, errors.New("interrupted")
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if code := exit.ExitCode(); code > 2*statusBase && code%2 == 1 {
			return code/2 - statusBase, nil
		}
	}
	if err == nil {
		return 0, errors.New("the guest switched itself off without a status; see the console above")
	}
	return 0, fmt.Errorf("%s: %w; see the console above", qemu, err)
}

// showConsole prints the end of the guest's kernel messages.
func (m machine) showConsole() {
	const maxBytes = 8000 // bytes
	text, err := os.ReadFile(m.console())
	text = bytes.TrimSpace(text[max(0, len(text)-maxBytes):])
	if err != nil || len(text) == 0 {
		return
	}
	fmt.Fprintf(os.Stderr, "--- guest console\n%s\n--- end of guest console\n", text)
}
