package main

var strangerMutants = []mutant{
	{
		name: "an unfinished result has a name",
		file: "internal/sink/replace.go", function: "",
		old: "os.O_WRONLY|unix.O_TMPFILE", new: "os.O_WRONLY",
		tests: "^TestAKilledWriterLeavesNothing$",
	},
	{
		name: "what another rig is writing counts as left over",
		file: "internal/sink/replace.go", function: "removeLeftover",
		old: "unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil", new: "f != nil",
		tests: "^TestLeftoversOfTheDeadAreRemovedAndNotThoseOfTheLiving$",
	},
	{
		name: "what killed programs left stays",
		file: "internal/sink/replace.go", function: "Replace",
		old: "removeLeftovers(folder)", new: "",
		tests: "^TestLeftoversOfTheDeadAreRemovedAndNotThoseOfTheLiving$",
	},
	{
		name: "root reads the working folder's configuration",
		file: "internal/config/config.go", function: "Find",
		old: "uid != 0 && ", new: "",
		tests: "^TestWhereAConfigurationIsFound$",
	},
	{
		name: "nobody is told that ModemManager may move the platform",
		file: "internal/usbserial/usbserial.go", function: "Check",
		old: "!usb || l.Guarded", new: "!usb || !l.Guarded",
		tests: "^TestLinesThatModemManagerMayProbeAreNamedWithTheRule$",
	},
	{
		name: "escape sequences of names reach the terminal",
		file: "cmd/rig/main.go", function: "perform",
		old: "s.out, s.err = out, errs", new: "",
		tests: "^TestNamesOfStrangersStayWithinTheirLine$",
	},
	{
		name: "a name may forge a line",
		file: "internal/printable/printable.go", function: "Sprintf",
		old: "clean[i] = Line(a)", new: "clean[i] = a",
		tests: "^TestNamesOfStrangersStayWithinTheirLine$", pkg: "cmd/rig",
	},
	{
		name: "a log takes values of any length",
		file: "cmd/rig/screen.go", function: "logged",
		old: "printable.Line(v.String())", new: "v.String()",
		tests: "^TestLogsAreOneShortLineEach$",
	},
	{
		name: "another rig's notice goes to the terminal as it is",
		file: "internal/page/page.go", function: "(*Page).Notice",
		old: "printable.Line(string(b[:n]))", new: "printable.Line(\"\") + string(b[:n])",
		tests: "^TestWhatARunningRigSaysStaysWithinItsLine$", pkg: "cmd/rig",
	},
}
