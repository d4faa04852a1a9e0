package main

// fileMutants are faults in the checks of tire files, configurations and tables.
var fileMutants = []mutant{
	{
		name: "a driver's profile may set a limit",
		file: "internal/files/config/driver.go", function: "(*Config).checkDriverKeys",
		old: "c.isDrivers(path) ||", new: "true ||",
		tests: "^TestADriversProfileRaisesNoLimit$",
	},
	{
		name: "records of two rigs are not put together",
		file: "internal/files/drivers/records.go", function: "Store.KeepRecord",
		old: "unlock, err := s.lock(name)", new: "unlock, err := func() {}, error(nil)",
		tests: "^TestRigsKeepRecordsAtOnce$",
	},
	{
		name: "a missing tire coefficient is replaced silently",
		file: "sim/tire/mf_complete.go", function: "(*reader).checkComplete",
		old: "case len(names) == len(p.required) && slices.Contains(p.omitModes, mode):", new: "case true:",
		tests: "^TestTruncatedFileIsRejected$",
	},
	{
		name: "a complete tire file needs a final newline",
		file: "sim/tire/mf_complete.go", function: "(*reader).checkComplete",
		old: "case len(errs) > 0:", new: "case true:",
		tests: "^TestAWholeFileNeedsNoFinalNewline$",
	},
	{
		name: "a tire force may have the wrong sign",
		file: "sim/tire/mf_complete.go", function: "(*reader).checkSigns",
		old: "check.value*check.sign >= 0", new: "check.value*check.sign >= 0 || check.name == \"PKY1\"",
		tests: "^TestForcesPointTheRightWay$",
	},
	{
		name: "a car is accepted with a tire that lacks a force",
		file: "internal/files/config/car.go", function: "loadTires",
		old: "len(missing) > 0", new: "len(missing) > 1",
		tests: "^TestFaultsOfACarsTiresHaveTheirPlace$",
	},
	{
		name: "the length of lists has no limit",
		file: "internal/files/config/check_keys.go", function: "checkDocument",
		old: "if len(c.longLists) > 0", new: "if len(c.longLists) > 1e6",
		tests: "^TestCountsAreCheckedBeforeContents$",
	},
	{
		name: "every unknown key is explained without a limit",
		file: "internal/files/config/check_keys.go", function: "(*documentCheck).problems",
		old: "i < maxExplained", new: "i < len(faults)",
		tests: "^TestOnlyTenFaultsAreLookedInto$",
	},
	{
		name: "Inf is accepted as a number in a file",
		file: "internal/files/config/check_keys.go", function: "(*documentCheck).checkNumber",
		old: "math.Abs(v) <= maxNumber", new: "math.Abs(v) >= 0",
		tests: "^TestEveryNumberIsBounded$",
	},
	{
		name: "the nesting of a TOML document has no limit",
		file: "internal/kit/userfile/toml.go", function: "(*tomlScan).checkLimits",
		old: "s.depth > maxDepth", new: "s.depth > 1<<30",
		tests: "^TestDocumentsHaveLimits$", pkg: "internal/files/config",
	},
	{
		name: "a named pipe is read as a table",
		file: "internal/kit/userfile/stream.go", function: "descriptor",
		old: "return 0, false", new: "fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK, 0)\n\treturn fd, err == nil",
		tests: "^TestStreamTakesDescriptorsButNoNamedPipes$",
	},
	{
		name: "the length of a table's line has no limit",
		file: "internal/tools/lab/testrun/table.go", function: "(*lineLimiter).Read",
		old: "s.length > maxLineLength", new: "s.length > 1<<26",
		tests: "^TestReadingEndsAtTheSizeLimit$",
	},
	{
		name: "a reference value has no limit",
		file: "internal/tools/lab/testrun/read.go", function: "referenceProblem",
		old: "math.Abs(v) <= limit", new: "v == v",
		tests: "^TestHugeValuesAreRefused$",
	},
	{
		name: "the setup disturbs other keys of the configuration",
		file: "internal/files/config/edit.go", function: "Edit",
		old: "!sameKeys(got, want)", new: "false",
		tests: "^TestEditRefusesWhatItWouldDisturb$",
	},
	{
		name: "the setup does not keep the configuration before",
		file: "internal/tools/setup/target.go", function: "target.write",
		old: "sink.KeepBackup(path)", new: "nil",
		tests: "^(TestASecondRunIsSafe|TestALinkIsFollowed)$",
	},
	{
		name: "the setup opens a platform's line without consent",
		file: "internal/tools/setup/platform.go", function: "(*wizard).choosePlatform",
		old: "if !agreed {", new: "if !agreed && false {",
		tests: "^TestTranscripts$",
	},
}
