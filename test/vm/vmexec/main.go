// Vmexec runs test binaries on a real Linux kernel in a virtual machine:
//
//	go test -exec "vmexec -kernel rt -icount" ./devices/wheel
//	vmexec -kernel rt -icount -test "./calib calib.test -test.run=VM" -test "./test/vm/motion motion.test"
//
// The second runs the binaries of several packages one after the other in one boot, and prints what `go test -json`
// would. A package that did not end, or was not run, has failed.
//
// One static binary runs on the host and in the guest. On the host it packs itself, the test binary and the
// kernel's modules into an initramfs and boots it with QEMU. In the guest it is process 1: it loads the modules,
// runs the test and returns its exit status. The guest contains nothing else. Vmexec needs no root on the host.
//
// Vmexec's exit status is that of the test, or 125 if the virtual machine failed. Then one line on stderr says why.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// statusVM is vmexec's exit status when the machine, not a test, failed.
const statusVM = 125

const usage = `usage: vmexec [flags] test-binary [arguments]
       vmexec [flags] -test "folder test-binary [arguments]"...
       vmexec unpack vmlinuz vmlinux

flags:
`

// options holds the command line of vmexec on the host.
type options struct {
	kernel  string        // std or rt, the kernel's folder in the cache
	modules string        // kernel modules to load, separated by commas
	files   files         // files to copy into the guest
	icount  bool          // the guest's clock counts instructions
	cpus    int           // number of virtual processors
	memory  int           // memory of the guest [MiB]
	timeout time.Duration // time after which QEMU is killed
	hash    bool          // print the hash of all that the machine consists of, and do not start it
	json    bool          // print the events of go test -json
	tests   tests         // the tests to run
}

// defaultModules are the kernel modules that the tests need, for input nodes, virtual input devices, USB wheels on
// the virtual host controller, USB serial lines, and GPIO and I²C by USB.
const defaultModules = "evdev,uinput,usbhid,hid-generic,hid-logitech,vhci-hcd,cdc-acm,hid-cp2112,i2c-dev"

func main() {
	if os.Getpid() == 1 {
		guest()
		return
	}
	runtime.LockOSThread() // the kernel kills QEMU when the thread that started it ends (Pdeathsig)
	os.Exit(host(os.Args[1:]))
}

// host executes the command line on the host and returns the exit status.
func host(args []string) int {
	if len(args) == 3 && args[0] == "unpack" {
		return status(unpack(args[1], args[2]))
	}
	o := parse(args)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
	defer stop()
	code, err := run(ctx, o)
	if err != nil {
		return status(err)
	}
	return code
}

// status returns vmexec's exit status for err. If err is not nil it is printed on stderr in one line.
func status(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "vmexec:", err)
	return statusVM
}

// parse parses the command line. If it is wrong, parse prints the usage and ends the process with status 2.
func parse(args []string) options {
	var o options
	f := flag.NewFlagSet("vmexec", flag.ExitOnError)
	f.StringVar(&o.kernel, "kernel", "std", "kernel to boot: std or rt (PREEMPT_RT)")
	f.StringVar(&o.modules, "modules", defaultModules, "kernel modules to load")
	f.Var(&o.files, "file", "host:guest[:mode] file to copy into the guest; may be repeated")
	f.BoolVar(&o.icount, "icount", false, "virtual time: the guest has one processor, and its clock counts instructions")
	f.IntVar(&o.cpus, "smp", 2, "number of processors, unless -icount is set")
	f.IntVar(&o.memory, "m", 1024, "memory of the guest in MiB")
	f.DurationVar(&o.timeout, "timeout", 5*time.Minute, "real time after which the machine is stopped")
	f.Var(&o.tests, "test", "package's `folder`, its test binary and the binary's arguments, separated by spaces; may be repeated")
	f.BoolVar(&o.hash, "hash", false, "print a hash of all that the machine would consist of, and do not start it")
	f.Usage = func() {
		fmt.Fprint(f.Output(), usage)
		f.PrintDefaults()
	}
	f.Parse(args)
	o.json = len(o.tests) > 0
	if o.json == (f.NArg() > 0) {
		f.Usage()
		os.Exit(2)
	}
	if !o.json {
		o.tests = tests{{".", f.Args()}}
	}
	return o
}

// file is a file of the host to copy into the guest, with its path and mode there.
type file struct {
	host, guest string
	mode        fs.FileMode
}

// files collects the -file flags.
type files []file

// String returns the files as text. It implements flag.Value.
func (f *files) String() string { return fmt.Sprint([]file(*f)) }

// Set adds a file given as host:guest[:mode]. The mode is octal and 0755 by default.
func (f *files) Set(arg string) error {
	part := strings.Split(arg, ":")
	if len(part) < 2 || len(part) > 3 || part[0] == "" || !strings.HasPrefix(part[1], "/") {
		return errors.New("must be host:guest[:mode] with an absolute path in the guest")
	}
	mode := uint64(0o755)
	if len(part) == 3 {
		var err error
		if mode, err = strconv.ParseUint(part[2], 8, 9); err != nil {
			return fmt.Errorf("mode %q: must be 0 to 777, octal", part[2])
		}
	}
	*f = append(*f, file{part[0], part[1], fs.FileMode(mode)})
	return nil
}
