package main

// fileMutants are in what reads files of strangers.
var fileMutants = []mutant{
	{
		name: "a tire without a coefficient drives on a typical one",
		file: "sim/tire/mf_complete.go", function: "(*reader).complete",
		old: "case len(names) == len(p.needs) && slices.Contains(p.modes, mode):", new: "case true:",
		tests: "^TestACutFileIsRefused$",
	},
	{
		name: "a whole tire needs a final newline",
		file: "sim/tire/mf_complete.go", function: "(*reader).complete",
		old: "case len(errs) > 0:", new: "case true:",
		tests: "^TestAWholeFileNeedsNoFinalNewline$",
	},
	{
		name: "a tire may push out of a bend",
		file: "sim/tire/mf_complete.go", function: "(*reader).signs",
		old: "law.value*law.sign >= 0", new: "law.value*law.sign >= 0 || law.name == \"PKY1\"",
		tests: "^TestForcesPointTheRightWay$",
	},
	{
		name: "a car drives on a tire without a force",
		file: "internal/config/car.go", function: "loadTires",
		old: "len(without) > 0", new: "len(without) > 1",
		tests: "^TestFaultsOfACarsTiresHaveTheirPlace$",
	},
	{
		name: "lists have no limit",
		file: "internal/config/survey.go", function: "surveyed",
		old: "len(s.long) > 0", new: "len(s.long) > 1e6",
		tests: "^TestCountsAreCheckedBeforeContents$",
	},
	{
		name: "every unknown key is answered",
		file: "internal/config/survey.go", function: "(*survey).unknown",
		old: "len(s.found) < shown", new: "true",
		tests: "^TestOnlyTenFaultsAreLookedInto$",
	},
	{
		name: "Inf is a number of a file",
		file: "internal/config/survey.go", function: "(*survey).number",
		old: "math.Abs(v) <= mostNumber", new: "math.Abs(v) >= 0",
		tests: "^TestEveryNumberIsBounded$",
	},
	{
		name: "a TOML document nests without end",
		file: "internal/source/toml.go", function: "(*tomlScan).fault",
		old: "s.depth > depth", new: "s.depth > 1<<30",
		tests: "^TestDocumentsHaveLimits$", pkg: "internal/config",
	},
	{
		name: "a named pipe is a table",
		file: "internal/source/stream.go", function: "descriptor",
		old: "return 0, false", new: "fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK, 0)\n\treturn fd, err == nil",
		tests: "^TestStreamTakesDescriptorsButNoNamedPipes$",
	},
	{
		name: "a line of a table has no end",
		file: "internal/lab/testrun/table.go", function: "(*shortLines).Read",
		old: "s.length > mostLine", new: "s.length > 1<<26",
		tests: "^TestEndlessTablesAreNotReadOn$",
	},
	{
		name: "a reference may be 1e308",
		file: "internal/lab/testrun/read.go", function: "checkReference",
		old: "math.Abs(v) <= most", new: "v == v",
		tests: "^TestHugeValuesAreRefused$",
	},
	{
		name: "a lap burns what was in the tank",
		file: "sim/maneuver/lap.go", function: "(*lapRun).drive",
		old: "run.seen.fuel += before.Driveline.Fuel - t.State.Driveline.Fuel", new: "run.seen.fuel = -t.State.Driveline.Fuel",
		tests: "^TestFuelIsWhatBurnsEvenIfNoLapBegins$",
	},
	{
		name: "a drop goes by radius_m",
		file: "sim/maneuver/drop.go", function: "drop",
		old: "front, rear := t.Params.Front.Radius(), t.Params.Rear.Radius()", new: "front, rear := t.Params.Front.Wheel.Radius, t.Params.Rear.Wheel.Radius",
		tests: "^TestATiresFileGivesItsRadius$",
	},
}
