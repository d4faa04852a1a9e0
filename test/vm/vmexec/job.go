package main

// job is what the host tells the guest to do, as JSON in the file jobFile.
type job struct {
	Args    []string // test binary and its arguments
	Dir     string   // working directory
	Env     []string // environment
	Modules []string // names of files in moduleDir, in the order to load
}

// Places in the guest's file system.
const (
	jobFile   = "/job.json"
	testFile  = "/test"
	moduleDir = "/modules"
)

// Serial ports of the guest. The first two are vmexec's own; the last two are
// wired to each other and belong to the test.
const (
	portConsole = "/dev/ttyS0" // kernel messages
	portOutput  = "/dev/ttyS1" // what the test prints
	portLineA   = "/dev/ttyS2"
	portLineB   = "/dev/ttyS3"
)

// The guest hands its status to QEMU's debug device, which ends the machine
// with the status 2*value+1. statusBase keeps apart QEMU's own failures.
const (
	debugPort  = 0xf4
	statusBase = 16
)
