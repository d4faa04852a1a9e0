package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// guest runs as process 1 of the guest: it runs the job and switches the machine off with the job's status.
func guest() {
	mountAll()
	useConsole()
	j, err := readJob()
	code := statusNotStarted
	if err == nil {
		prepare(j.Modules)
		code, err = runAll(j)
	}
	if err != nil {
		fmt.Println("vmexec: guest:", err)
	}
	powerOff(code)
}

// mountAll mounts the file systems that a program expects. /tmp stays in the root
// file system, because the package's folder may be under it.
func mountAll() {
	for _, m := range []struct{ kind, dir string }{
		{"devtmpfs", "/dev"},
		{"proc", "/proc"},
		{"sysfs", "/sys"},
		{"devpts", "/dev/pts"},
		{"tmpfs", "/dev/shm"},
		{"debugfs", "/sys/kernel/debug"},
	} {
		os.MkdirAll(m.dir, 0o755)
		if err := unix.Mount(m.kind, m.dir, m.kind, 0, ""); err != nil {
			fmt.Printf("vmexec: guest: mount %s: %v\n", m.dir, err)
		}
	}
}

// useConsole redirects stdout and stderr of this process to the console with the kernel's messages.
func useConsole() {
	fd, err := unix.Open(portConsole, unix.O_WRONLY|unix.O_NOCTTY, 0)
	if err != nil {
		return // without a console there is no place for a message
	}
	unix.Dup3(fd, unix.Stdout, 0)
	unix.Dup3(fd, unix.Stderr, 0)
}

func readJob() (job, error) {
	var j job
	text, err := os.ReadFile(jobFile)
	if err == nil {
		err = json.Unmarshal(text, &j)
	}
	return j, err
}

// prepare loads modules and sets up the network. An error is printed on the console, and the tests run all the
// same, because they may not need what is missing.
func prepare(modules []string) {
	for _, name := range modules {
		if err := loadModule(filepath.Join(moduleDir, name)); err != nil {
			fmt.Printf("vmexec: guest: module %s: %v\n", name, err)
		}
	}
	if err := unix.Sethostname([]byte("rig-vm")); err != nil {
		fmt.Println("vmexec: guest: host name:", err)
	}
	if err := loopbackUp(); err != nil {
		fmt.Println("vmexec: guest: lo:", err)
	}
}

func loadModule(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.FinitModule(int(f.Fd()), "", 0)
}

// loopbackUp enables the loopback network interface, 127.0.0.1.
func loopbackUp() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, request)
}

// Statuses of a test: its exit status, limited to maxStatus, or one of the others if it was killed by a signal or
// did not start.
const (
	maxStatus        = 100
	statusKilled     = 101
	statusNotStarted = 102
)

// runAll runs the job's programs one after the other, with their output on the second serial port and a status line
// after each, and returns the first status that is not 0. After each it ends all processes and removes the files that
// were left, so that the next one finds the guest as after its start.
func runAll(j job) (int, error) {
	out, err := os.OpenFile(portOutput, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return statusNotStarted, err
	}
	defer out.Close()
	if err := makeRaw(int(out.Fd())); err != nil {
		return statusNotStarted, err
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return statusNotStarted, err
	}
	first := 0
	keep := left()
	for _, c := range j.Runs {
		code := runTest(c, syscall.ProcAttr{
			Dir: c.Dir, Env: j.Env, Files: []uintptr{null.Fd(), out.Fd(), out.Fd()},
		})
		unix.Kill(-1, unix.SIGKILL)
		reapUntil(0)
		for path := range left() {
			if !keep[path] {
				os.RemoveAll(path)
			}
		}
		fmt.Fprintf(out, statusLine, code)
		drain(int(out.Fd()))
		if first == 0 {
			first = code
		}
	}
	return first, nil
}

// left returns the paths of the files where tests leave some.
func left() map[string]bool {
	found := map[string]bool{}
	for _, dir := range []string{"/tmp", "/root", "/run", "/dev/shm"} {
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			found[filepath.Join(dir, e.Name())] = true
		}
	}
	return found
}

// runTest runs a test binary and returns its status. If it did not exit by itself, the console says why.
//
// As process 1 it also reaps every orphan, so that tests see that a process has ended.
func runTest(c command, attr syscall.ProcAttr) int {
	pid, err := syscall.ForkExec(c.Args[0], c.Args, &attr)
	if err != nil {
		fmt.Printf("vmexec: guest: %s: %v\n", c.Args[0], err)
		return statusNotStarted
	}
	ended := reapUntil(pid)
	if ended.Signaled() {
		fmt.Printf("vmexec: guest: the test was killed by signal %v\n", ended.Signal())
		return statusKilled
	}
	return min(ended.ExitStatus(), maxStatus)
}

// reapUntil reaps children and orphans until the process pid or all of them have ended, and returns the last status.
func reapUntil(pid int) unix.WaitStatus {
	var ended unix.WaitStatus
	for {
		got, err := unix.Wait4(-1, &ended, 0, nil)
		if got == pid || err == unix.ECHILD {
			return ended
		}
	}
}

// makeRaw sets a terminal to raw mode, which transfers all bytes unchanged.
func makeRaw(fd int) error {
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return err
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = t.Cflag&^unix.CBAUD | unix.B115200
	return unix.IoctlSetTermios(fd, unix.TCSETS, t)
}

// drain waits until the terminal has sent all its output (tcdrain).
func drain(fd int) { unix.IoctlSetInt(fd, unix.TCSBRK, 1) }

// powerOff switches the machine off with this status. It does not return.
func powerOff(code int) {
	fmt.Println("vmexec: guest: status", code)
	drain(unix.Stdout)
	if port, err := os.OpenFile("/dev/port", os.O_RDWR, 0); err == nil {
		port.WriteAt([]byte{byte(code + statusBase)}, debugPort)
	}
	unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
}
