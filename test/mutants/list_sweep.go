package main

// sweepMutants are faults in sweeps, on this machine and on others.
var sweepMutants = []mutant{
	{
		name: "points of a grid repeat",
		file: "internal/tools/lab/sweep/plan.go", function: "(*Plan).Values",
		old: "i /= len(a.Values)", new: "",
		tests: "^TestPointsOfAGrid$",
	},
	{
		name: "a torn line stays in a journal",
		file: "internal/tools/lab/sweep/journal.go", function: "(*Journal).begin",
		old: "err := j.file.Truncate(size)", new: "err := error(nil)",
		tests: "^TestAJournalGoesOn$",
	},
	{
		name: "any file without a line break becomes a journal",
		file: "internal/tools/lab/sweep/journal.go", function: "(*Journal).read",
		old: "line == 1 && !isTornHead(text)", new: "false",
		tests: "^TestJournalsThatAreRefused$",
	},
	{
		name: "the values of a random point are not independent",
		file: "internal/tools/lab/sweep/plan.go", function: "(*Plan).Values",
		old: "uint64(i*len(values)+k)", new: "uint64(i*len(values))",
		tests: "^TestRandomPointsAreUniform$",
	},
	{
		name: "a unit of another machine reads files of this one",
		file: "internal/files/config/car_packed.go", function: "(*CarFiles).Unpack",
		old: "f.packed)", new: "readBeside)",
		tests: "^TestAPackedCarReadsNoFileOfThisMachine$",
	},
	{
		name: "a result of a point that the sweep has not got passes",
		file: "internal/tools/lab/sweep/unit.go", function: "(*Plan).ParseResult",
		old: "|| r.Index >= p.Len() ", new: "",
		tests: "^TestJournalsThatAreRefused$",
	},
}
