package main

// followMutants are faults in following another simulator.
var followMutants = []mutant{
	{
		name: "silence of a game does not end the motion",
		file: "internal/follow/follow.go", function: "(*State).currentStatus",
		old: "s.now-s.arrivedAt > silentAfter", new: "s.now-s.arrivedAt > 1e9",
		tests: "^TestWhatEndsTheMotion$",
	},
	{
		name: "a paused game goes on",
		file: "internal/follow/follow.go", function: "(*State).currentStatus",
		old: "s.phase == Paused || ", new: "",
		tests: "^TestWhatEndsTheMotion$",
	},
	{
		name: "packets that never change are followed",
		file: "internal/follow/follow.go", function: "(*State).currentStatus",
		old: "s.now-s.changedAt > frozenAfter", new: "false",
		tests: "^TestWhatEndsTheMotion$",
	},
	{
		name: "a car that is put elsewhere is followed",
		file: "internal/follow/receive.go", function: "(*Follower).receive",
		old: "s.isJump(&s.points[ringSize-1], &p)", new: "false",
		tests: "^TestJumpsAreFadedOver$",
	},
	{
		name: "a speed that no car has is followed",
		file: "internal/follow/receive.go", function: "(*State).complete",
		old: "length(p.vel) <= maxSpeed", new: "true",
		tests: "^TestWhatEndsTheMotion$",
	},
	{
		name: "the force of a game has no limit of its change",
		file: "internal/follow/follow.go", function: "(*Follower).motion",
		old: "limited(sub(force, s.force), maxJerk*f.dt)", new: "sub(force, s.force)",
		tests: "^TestAShakenCarIsLimited$",
	},
	{
		name: "what comes after a jump is shown before the fade-out is over",
		file: "internal/follow/follow.go", function: "(*Follower).Step",
		old: "if !s.holding && live {", new: "if live {",
		tests: "^TestAShortSilenceIsFadedOver$",
	},
	{
		name: "an axis whose sign is not confirmed gets all of its motion",
		file: "internal/drive/follow.go", function: "(*Drive).followedPose",
		old: "trust[follow.Surge+i]*(in.Force[i]-rest[i])", new: "(in.Force[i]-rest[i])",
		tests: "^TestAnUnconfirmedAxisGetsAPart$",
	},
	{
		name: "motion begins without a way to stop",
		file: "internal/drive/follow.go", function: "(*Drive).sourceReady",
		old: " && in.StopReady", new: "",
		tests: "^TestFollowingBeginsOnlyWithAWayToStop$",
	},
	{
		name: "buttons that a game has grabbed count as a way to stop",
		file: "internal/rig/follow.go", function: "(*Rig).senseSource",
		old: "r.controls.Readable()&stops != 0", new: "true",
		tests: "^TestMotionWaitsForAWayToStop$",
	},
	{
		name: "packets of any machine are followed",
		file: "internal/games/hub.go", function: "(*Hub).isAllowed",
		old: "return false", new: "return true",
		tests: "^TestWhatIsNotTakenIsTold$",
	},
	{
		name: "packets of another version's signs are followed",
		file: "internal/games/parse.go", function: "parseBeamNG",
		old: "> agree", new: "> 9",
		tests: "^TestRefusedPackets$",
	},
	{
		name: "an axis is confirmed that was never heard",
		file: "internal/signs/listen.go", function: "(*Listener).Confirm",
		old: "case isYes && !heard:", new: "case isYes && !heard && err != nil:",
		tests: "^TestTheOperatorConfirmsWhatIsHeard$",
	},
}
