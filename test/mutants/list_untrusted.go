package main

// untrustedMutants are faults in the protection against other users and programs: result files,
// configurations, and names that are printed.
var untrustedMutants = []mutant{
	{
		name: "an unfinished result is visible under a name",
		file: "internal/kit/sink/replace.go", function: "",
		old: "os.O_WRONLY|unix.O_TMPFILE", new: "os.O_WRONLY",
		tests: "^TestAKilledWriterLeavesNothing$",
	},
	{
		name: "a file that another rig is writing is removed as a leftover",
		file: "internal/kit/sink/replace.go", function: "removeLeftover",
		old: "unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil", new: "f != nil",
		tests: "^TestLeftoversOfTheDeadAreRemovedAndNotThoseOfTheLiving$",
	},
	{
		name: "leftovers of killed programs are not removed",
		file: "internal/kit/sink/replace.go", function: "Replace",
		old: "removeLeftovers(folder)", new: "",
		tests: "^TestLeftoversOfTheDeadAreRemovedAndNotThoseOfTheLiving$",
	},
	{
		name: "root reads the working folder's configuration",
		file: "internal/files/config/config.go", function: "Places",
		old: "uid != 0 && ", new: "",
		tests: "^TestWhereAConfigurationIsFound$",
	},
	{
		name: "the warning that ModemManager may move the platform is missing",
		file: "internal/kit/usbserial/usbserial.go", function: "Check",
		old: "!usb || l.IgnoredByModemManager", new: "!usb || !l.IgnoredByModemManager",
		tests: "^TestLinesThatModemManagerMayProbeAreNamedWithTheRule$",
	},
	{
		name: "escape sequences in names reach the terminal",
		file: "cmd/rig/main.go", function: "perform",
		old: "s.out, s.err = out, errs", new: "",
		tests: "^TestNamesOfStrangersStayWithinTheirLine$",
	},
	{
		name: "a line break in a name is printed",
		file: "internal/kit/printable/printable.go", function: "Sprintf",
		old: "clean[i] = Line(a)", new: "clean[i] = a",
		tests: "^TestNamesOfStrangersStayWithinTheirLine$", pkg: "cmd/rig",
	},
	{
		name: "the length of logged values has no limit",
		file: "cmd/rig/screen.go", function: "cleanAttr",
		old: "printable.Line(v.String())", new: "v.String()",
		tests: "^TestLogsAreOneShortLineEach$",
	},
	{
		name: "another rig's notice is printed without escaping",
		file: "internal/core/framepage/page.go", function: "(*Page).Notice",
		old: "printable.Line(string(text))", new: "printable.Line(\"\") + string(text)",
		tests: "^TestWhatARunningRigSaysStaysWithinItsLine$", pkg: "cmd/rig",
	},
	{
		name: "a data file reads above its folder",
		file: "internal/kit/userfile/beside.go", function: "(*Beside).Read",
		old: "folder.OpenFile(name, openFlags, 0)", new: "os.OpenFile(filepath.Join(filepath.Dir(b.path), name), openFlags, 0)",
		tests: "^TestOnlyFilesBesideADataFileAreRead$",
	},
	{
		name: "a path out of a data file's folder is a path",
		file: "internal/kit/userfile/beside.go", function: "(*Beside).name",
		old: "!filepath.IsLocal(name)", new: "false",
		tests: "^TestOnlyFilesBesideADataFileAreRead$",
	},
	{
		name: "a data file reads files of any kind",
		file: "internal/kit/userfile/beside.go", function: "(*Beside).name",
		old: "!slices.Contains(b.endings, strings.ToLower(filepath.Ext(name)))", new: "false",
		tests: "^TestOnlyFilesBesideADataFileAreRead$",
	},
	{
		name: "the files beside a data file have no limit together",
		file: "internal/kit/userfile/beside.go", function: "(*Beside).Read",
		old: "b.left -= int64(len(data))", new: "",
		tests: "^TestFilesBesideADataFileShareTheirLimits$",
	},
	{
		name: "a recording's circuit reads any file",
		file: "internal/files/circuit/ground.go", function: "(*Site).readOwn",
		old: "s.o.Files != nil && ", new: "false && ",
		tests: "^TestAReplayReadsOnlyFilesOfTheRecording$", pkg: "internal/files/replay",
	},
	{
		name: "a recording without its circuit's files reads the user's",
		file: "internal/files/replay/setup.go", function: "build",
		old: "case isPath(cfg.Track):", new: "case false:",
		tests: "^TestAReplayReadsOnlyFilesOfTheRecording$",
	},
	{
		name: "a recording without its car's files reads the user's",
		file: "internal/files/replay/setup.go", function: "loadCar",
		old: "if isPath(h.CarName) {", new: "if false {",
		tests: "^TestAReplayReadsOnlyFilesOfTheRecording$",
	},
}
