package main

// raceMutants are faults in the race of a session and in its host.
var raceMutants = []mutant{
	{
		name: "a pause counts as time of the race",
		file: "internal/connect/session/race/standings.go", function: "(*State).RaceTime",
		old: "t -= max(", new: "t -= 0 * max(",
		tests: "^TestWhoWins$",
	},
	{
		name: "a lap counts however fast it is",
		file: "internal/connect/session/race/race.go", function: "(*State).fault",
		old: "case l.Time < shortest:", new: "case l.Time <= 0:",
		tests: "^TestLiesAreNotCounted$",
	},
	{
		name: "a report of an earlier stop counts",
		file: "internal/connect/session/race/board.go", function: "(*State).Entries",
		old: "m.stopped >= s.stopAsked-slack", new: "m.stopped > 0*slack",
		tests: "^TestAStopIsReportedByEachRig$", pkg: "internal/connect/session/host",
	},
	{
		name: "a stop that is not kept counts as not sent",
		file: "internal/connect/session/host/order.go", function: "(*Host).stop",
		old: "if unsent != nil {", new: "if unsent == nil {",
		tests: "^TestAStopIsSentAtOnceAndAlsoIfItCannotBeKept$",
	},
	{
		name: "a report counts for any stop",
		file: "internal/connect/session/race/board.go", function: "(*State).Entries",
		old: "m.answered == s.stopID", new: "m.answered != \"\"",
		tests: "^TestAStopIsSentAtOnceAndAlsoIfItCannotBeKept$", pkg: "internal/connect/session/host",
	},
	{
		name: "a rig joins as often as it likes",
		file: "internal/connect/session/host/join.go", function: "(*Host).enter",
		old: "c.count++; c.count > most", new: "c.count++; c.count < 0*most",
		tests: "^TestJoinsOfARigAreLimited$",
	},
	{
		name: "each lap with an impossible time costs an event",
		file: "internal/connect/session/host/host.go", function: "(*Host).checkTime",
		old: "h.race.Dismissals(from) < dismissedAlone", new: "dismissedAlone > 0",
		tests: "^TestManyImpossibleLapsCostFewEvents$",
	},
	{
		name: "one rig puts the time of a session forward",
		file: "internal/connect/session/race/board.go", function: "(*State).Last",
		old: "return max(s.last, next)", new: "return max(s.last, first)",
		tests: "^TestSessionTimeGoesOnWhereTheRigsWere$", pkg: "internal/connect/session/host",
	},
	{
		name: "a rig sends the state of another's car",
		file: "internal/connect/session/host/relay.go", function: "(*relay).take",
		old: "m.Cars[0].Slot != slot", new: "m.Cars[0].Slot < 0",
		tests: "^TestAHostileRigCostsOthersNothing$",
	},
	{
		name: "a session's time stands still while it has no host",
		file: "internal/connect/session/host/host.go", function: "(*Host).begin",
		old: "max(unix-h.race.Epoch(), h.race.Last())", new: "h.race.Last()",
		tests: "^TestAKilledHostGoesOnWithTheRace$",
	},
}
