// Vmexec runs a test binary on a real Linux kernel in a virtual machine:
//
//	go test -exec "vmexec -kernel rt -icount" ./devices/wheel
//
// The one static binary has both roles. On the host it packs itself, the test
// binary and the kernel's modules into an initramfs and boots it with QEMU; as
// process 1 in the guest it loads the modules, runs the test and hands its
// exit status back. Nothing else is in the guest, and the host needs no root.
//
// Vmexec's exit status is the test's, or 125 if the machine could not do its
// work: then one line on stderr says why.
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

// statusVM is vmexec's exit status when the machine, not the test, failed.
const statusVM = 125

const usage = `usage: vmexec [flags] test-binary [arguments]
       vmexec unpack vmlinuz vmlinux

flags:
`

// options are the command line of vmexec on the host.
type options struct {
	kernel  string        // std or rt: the folder in the cache
	modules string        // to load, with commas between them
	files   files         // to put into the guest
	icount  bool          // virtual time
	cpus    int           // virtual processors
	memory  int           // of the guest [MiB]
	timeout time.Duration // until the machine is given up
	args    []string      // test binary and its arguments
}

// defaultModules are the drivers the tests meet: input nodes, virtual input
// devices, USB wheels on the virtual host controller, USB serial lines, GPIO and
// I²C by USB.
const defaultModules = "evdev,uinput,usbhid,hid-generic,hid-logitech,vhci-hcd,cdc-acm,hid-cp2112,i2c-dev"

func main() {
	if os.Getpid() == 1 {
		guest()
		return
	}
	runtime.LockOSThread() // QEMU is told to die with the thread that started it
	os.Exit(host(os.Args[1:]))
}

// host does what the command line asks and returns the exit status.
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

// status prints err, if any, in one line, and returns vmexec's exit status.
func status(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "vmexec:", err)
	return statusVM
}

// parse reads the command line; a wrong one ends the process with status 2.
func parse(args []string) options {
	var o options
	f := flag.NewFlagSet("vmexec", flag.ExitOnError)
	f.StringVar(&o.kernel, "kernel", "std", "kernel to boot: std or rt (PREEMPT_RT)")
	f.StringVar(&o.modules, "modules", defaultModules, "kernel modules to load")
	f.Var(&o.files, "file", "host:guest[:mode] file to put into the guest; may be repeated")
	f.BoolVar(&o.icount, "icount", false, "virtual time: the guest's clock counts instructions, one processor")
	f.IntVar(&o.cpus, "smp", 2, "processors, without -icount")
	f.IntVar(&o.memory, "m", 512, "memory of the guest in MiB")
	f.DurationVar(&o.timeout, "timeout", 5*time.Minute, "real time after which the machine is given up")
	f.Usage = func() {
		fmt.Fprint(f.Output(), usage)
		f.PrintDefaults()
	}
	f.Parse(args)
	o.args = f.Args()
	if len(o.args) == 0 {
		f.Usage()
		os.Exit(2)
	}
	return o
}

// file is one file of the host as it shall lie in the guest.
type file struct {
	host, guest string
	mode        fs.FileMode
}

// files collects the -file flags.
type files []file

// String is what flag.Value asks for.
func (f *files) String() string { return fmt.Sprint([]file(*f)) }

// Set adds one host:guest[:mode]; mode is octal and 0755 if not given.
func (f *files) Set(arg string) error {
	part := strings.Split(arg, ":")
	if len(part) < 2 || len(part) > 3 || part[0] == "" || !strings.HasPrefix(part[1], "/") {
		return errors.New("want host:guest[:mode] with an absolute path in the guest")
	}
	mode := uint64(0o755)
	if len(part) == 3 {
		var err error
		if mode, err = strconv.ParseUint(part[2], 8, 9); err != nil {
			return fmt.Errorf("mode %q: want octal 0..777", part[2])
		}
	}
	*f = append(*f, file{part[0], part[1], fs.FileMode(mode)})
	return nil
}
