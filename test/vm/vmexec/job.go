package main

// job says what the guest must run. The host writes it as JSON to the file jobFile.
type job struct {
	Runs    []command // test binaries, one after the other
	Env     []string  // environment
	Modules []string  // names of files in moduleDir, in the order in which to load them
}

// command is a test binary to run.
type command struct {
	Args []string // path in the guest and arguments
	Dir  string   // working directory
}

// Paths in the guest's file system.
const (
	jobFile   = "/job.json"
	testFile  = "/test" // followed by the position in job.Runs
	moduleDir = "/modules"
)

// Serial ports of the guest. Vmexec uses the first two. The last two are connected to each other, for tests.
const (
	portConsole = "/dev/ttyS0" // kernel messages
	portOutput  = "/dev/ttyS1" // output of the test
	portLineA   = "/dev/ttyS2"
	portLineB   = "/dev/ttyS3"
)

// The guest writes its status plus statusBase to QEMU's debug device, which ends QEMU with the exit status
// 2*value+1. statusBase distinguishes it from QEMU's own exit statuses.
const (
	debugPort  = 0xf4
	statusBase = 16
)
