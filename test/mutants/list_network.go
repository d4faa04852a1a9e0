package main

// networkMutants are faults in the network that tests of a session run in, and such as they have found.
var networkMutants = []mutant{
	{
		name: "the test network loses nothing",
		file: "test/network/path.go", function: "Path.Copies",
		old: "random(0) < p.Loss", new: "random(0) < 0*p.Loss",
		tests: "^TestAPathDisturbsAsItSays$",
	},
	{
		name: "the test network cuts a line only from the rig on",
		file: "test/network/relay.go", function: "(*relay).take",
		old: "if l.cut {", new: "if l.cut && d == &l.up {",
		tests: "^TestALineThatIsCutLosesAll$",
	},
	{
		name: "the test network counts only packets that arrive",
		file: "test/network/relay.go", function: "(*relay).take",
		old: "n := d.add(data, now)", new: "n := d.add(data, now); d.Bytes -= uint64(len(data)) * uint64(1-min(len(d.path.Copies(n)), 1))",
		tests: "^TestBytesAreCountedAsSent$",
	},
	{
		name: "a lap that a rig's process sees late ends late",
		file: "internal/connect/session/member/member.go", function: "(*member).observe",
		old: "int64(m.frame.Lap.Time * second)", new: "0",
		tests: "^TestALapSeenLateHasItsOwnTime$",
	},
}
