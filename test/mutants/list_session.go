package main

// sessionMutants are faults in a rig's part in a session.
var sessionMutants = []mutant{
	{
		name: "a session ends a pause",
		file: "internal/live/operator/serve.go", function: "(*Pending).ServeRaceControl",
		old: "|| m.Order == Pause)", new: "|| m.Order == Pause || m.Order == Resume)",
		pkg: "internal/live/rig", tests: "^TestASessionOnlyStopsAndPauses$",
	},
	{
		name: "a session tunes the force",
		file: "internal/live/operator/serve.go", function: "(*Pending).ServeRaceControl",
		old: `return errors.New("a session can only stop or pause the rig")`, new: "return p.takeTune(m)",
		pkg: "internal/live/rig", tests: "^TestASessionOnlyStopsAndPauses$",
	},
	{
		name: "every message of race control stops the rigs",
		file: "internal/connect/session/member/join.go", function: "(*member).takeEvent",
		old: "e.Kind != session.Stopped && e.Kind != session.PausedAt", new: "e.Kind == session.ResumedAt",
		tests: "^TestOnlyStopAndPauseReachTheRig$",
	},
	{
		name: "a message that comes twice stops a rig again",
		file: "internal/connect/session/member/join.go", function: "(*member).isNew",
		old: "id == \"\" || slices.Contains(m.handled[:], id)", new: "id == \"\"",
		tests: "^TestOnlyStopAndPauseReachTheRig$",
	},
	{
		name: "a stop whose event is lost never comes",
		file: "internal/connect/session/member/join.go", function: "(*member).takeBoard",
		old: "m.isNew(b.Stop) && m.settled", new: "m.isNew(b.Stop) && !m.settled",
		tests: "^TestAStopIsFoundOnTheBoard$",
	},
	{
		name: "a stop that the rig does not take is given up",
		file: "internal/connect/session/member/orders.go", function: "(*orders).run",
		old: "order == operator.EmergencyStop", new: "order == operator.Pause",
		tests: "^TestAStopIsGivenUntilTheRigTakesIt$",
	},
	{
		name: "an event whose acknowledgement is lost is kept no more",
		file: "internal/connect/session/member/outbox.go", function: "(*outbox).store",
		old: "if err == nil {\n", new: "if err != nil {\n",
		tests: "^TestEventsSurviveAPartition$",
	},
	{
		name: "a packet is opened twice",
		file: "internal/connect/session/packets/seal.go", function: "(*Opener).mark",
		old: "o.seen<<min(counter-o.highest, 64) | 1", new: "o.seen << min(counter-o.highest, 64)",
		tests: "^TestTheReplayWindow$",
	},
	{
		name: "the header of a packet can be changed",
		file: "internal/connect/session/packets/seal.go", function: "nonce",
		old: "n[11] ^= header[0]", new: "n[11] ^= 0",
		tests: "^TestNoNonceIsUsedTwice$",
	},
	{
		name: "a delay that rises pulls the session's time",
		file: "internal/connect/session/clock/clock.go", function: "(*Clock).update",
		old: "excess*excess/12 + floor*floor", new: "floor * floor",
		tests: "^TestARisingDelayDoesNotPull$",
	},
	{
		name: "a step of session time is refused for ever",
		file: "internal/connect/session/clock/clock.go", function: "(*Clock).believes",
		old: "/second < stepTime", new: "/second < 1e6*stepTime",
		tests: "^TestAStepOfSessionTime$",
	},
	{
		name: "session time steps to its estimate",
		file: "internal/connect/session/clock/clock.go", function: "(*Clock).Advance",
		old: "c.session = c.At(local)", new: "c.session = local + c.estimate(local)",
		tests: "^Test",
	},
	{
		name: "a car leaps to where it is now",
		file: "internal/connect/session/playout/playout.go", function: "(*car).follow",
		old: "min(share, maxJoin*dt/distance)", new: "1",
		tests: "^TestALiftedCarFades|TestSilence|TestHostile",
	},
	{
		name: "a car that is not heard drives on",
		file: "internal/connect/session/playout/playout.go", function: "slowDown",
		old: "1 - u*u*(3-2*u)", new: "1",
		tests: "^TestSilenceStopsAndFades$",
	},
	{
		name: "a car on the grid waits on the center line",
		file: "internal/core/drive/grid.go", function: "(*Drive).StartOnGrid",
		old: "at.Offset(g.Left)", new: "at.Offset(0)",
		tests: "^TestACarWaitsOnTheGrid$",
	},
	{
		name: "a recording forgets the grid",
		file: "internal/files/replay/setup.go", function: "apply",
		old: "g != nil", new: "g != nil && g.Behind < 0",
		pkg: "internal/live/rig", tests: "^TestADriveInASessionRepeats$",
	},
}
