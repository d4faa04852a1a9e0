package main

// followMutants are faults in following another simulator.
var followMutants = []mutant{
	{
		name: "silence of a game does not end the motion",
		file: "internal/core/follow/follow.go", function: "(*State).currentStatus",
		old: "s.now-s.arrivedAt > silentAfter", new: "s.now-s.arrivedAt > 1e9",
		tests: "^TestWhatEndsTheMotion$",
	},
	{
		name: "a paused game goes on",
		file: "internal/core/follow/follow.go", function: "(*State).currentStatus",
		old: "s.phase == Paused || ", new: "",
		tests: "^TestWhatEndsTheMotion$",
	},
	{
		name: "packets that never change are followed",
		file: "internal/core/follow/follow.go", function: "(*State).currentStatus",
		old: "s.now-s.changedAt > frozenAfter", new: "false",
		tests: "^TestWhatEndsTheMotion$",
	},
	{
		name: "a car that is put elsewhere is followed",
		file: "internal/core/follow/receive.go", function: "(*Follower).receive",
		old: "s.isJump(&s.points[ringSize-1], &p)", new: "false",
		tests: "^TestJumpsAreFadedOver$",
	},
	{
		name: "a speed that no car has is followed",
		file: "internal/core/follow/receive.go", function: "(*State).complete",
		old: "length(p.vel) <= maxSpeed", new: "true",
		tests: "^TestWhatEndsTheMotion$",
	},
	{
		name: "the force of a game has no limit of its change",
		file: "internal/core/follow/follow.go", function: "(*Follower).motion",
		old: "limited(sub(force, s.force), maxJerk*f.dt)", new: "sub(force, s.force)",
		tests: "^TestAShakenCarIsLimited$",
	},
	{
		name: "what comes after a jump is shown before the fade-out is over",
		file: "internal/core/follow/follow.go", function: "(*Follower).Step",
		old: "if !s.holding && live {", new: "if live {",
		tests: "^TestAShortSilenceIsFadedOver$",
	},
	{
		name: "an axis whose sign is not confirmed gets all of its motion",
		file: "internal/core/drive/follow.go", function: "(*Game).pose",
		old: "trust[follow.Surge+i]*(in.Force[i]-rest[i])", new: "(in.Force[i]-rest[i])",
		tests: "^TestAnUnconfirmedAxisGetsAPart$",
	},
	{
		name: "the tires of a game that is silent go on sliding",
		file: "internal/core/drive/follow.go", function: "(*Game).receive",
		old: "valid.Clamp(source.Slip[i], 0, maxSlip) * m.Share", new: "valid.Clamp(source.Slip[i], 0, maxSlip)",
		tests: "^TestTheFrameHasWhatIsToldOfTiresAndSurfaces$",
	},
	{
		name: "motion begins without a way to stop",
		file: "internal/core/drive/follow.go", function: "(*Game).receive",
		old: "!in.StopReady", new: "false",
		tests: "^TestFollowingBeginsOnlyWithAWayToStop$",
	},
	{
		name: "buttons that a game has grabbed count as a way to stop",
		file: "internal/live/rig/follow.go", function: "(*Rig).senseSource",
		old: "r.controls.Readable()&stops != 0", new: "true",
		tests: "^TestMotionWaitsForAWayToStop$",
	},
	{
		name: "a window that lacks the keyboard is a way to stop", file: "internal/live/rig/follow.go", function: "(*Rig).senseSource",
		old: "in.Window.Keys&frame.WindowFocused != 0", new: "true", tests: "^TestAWindowIsAWayToStopWhileItHasTheKeyboard$",
	},
	{
		name: "motion goes on without a way to stop", file: "internal/core/drive/follow.go", function: "(*Game).receive",
		old: "source.Phase = follow.Paused", new: "source.Phase = in.Source.Phase", tests: "^TestMotionEndsWithTheLastWayToStop$",
	},
	{
		name: "a window that gets the keyboard is an emergency stop", file: "internal/core/drive/window.go", function: "(*window).keys",
		old: "return in.Keys &^ frame.WindowFocused", new: "return in.Keys", tests: "^TestAnyKeyStops$",
	},
	{
		name: "packets of any machine are followed",
		file: "internal/connect/games/hub.go", function: "(*Hub).isAllowed",
		old: "return false", new: "return true",
		tests: "^TestWhatIsNotTakenIsTold$",
	},
	{
		name: "packets of a second sender are followed beside those of the first", file: "internal/connect/games/stream.go", function: "(*Hub).admit",
		old: "s == h.followed", new: "s.source == h.followed.source", tests: "^TestOneSenderIsFollowed$",
	},
	{
		name: "packets of a second sender are joined with those of the first after a gap of rig", file: "internal/connect/games/hub.go", function: "(*Hub).offer",
		old: "sample.Car += h.changes * anotherCar", new: "sample.Car += 0", tests: "^TestAnotherSenderIsFollowedAfterSilence$",
	},
	{
		name: "packets of another version's signs are followed",
		file: "internal/connect/games/parse.go", function: "parseBeamNG",
		old: "<= agree)", new: "<= agree+9)",
		tests: "^TestRefusedPackets$",
	},
	{
		name: "an axis is confirmed that was never heard",
		file: "internal/connect/axissigns/listen.go", function: "(*Listener).Confirm",
		old: "case isYes && !heard:", new: "case isYes && !heard && err != nil:",
		tests: "^TestTheOperatorConfirmsWhatIsHeard$",
	},
	{
		name: "a packet that does not tell all and never changes is followed",
		file: "internal/core/follow/receive.go", function: "same",
		old: "a[i] != b[i] && (a[i] == a[i] || b[i] == b[i])", new: "a[i] != b[i]",
		tests: "^TestWhatEndsTheMotion$",
	},
	{
		name: "a jump of a source without rates ends the motion for ever",
		file: "internal/core/follow/receive.go", function: "(*Follower).receive",
		old: "if !ok && s.count > 0 {", new: "if false {",
		pkg: "internal/live/rig", tests: "^TestEachGameIsPlayed$",
	},
	{
		name: "a packet that comes twice shifts the grid",
		file: "internal/core/follow/receive.go", function: "(*Follower).receive",
		old: "if s.raw = in; isDouble {", new: "if s.raw = in; isDouble && false {",
		tests: "^TestAPacketThatComesTwiceChangesNothing$",
	},
	{
		name: "signs that are confirmed for one version count for all",
		file: "internal/core/follow/follow.go", function: "(*State).Trusted",
		old: "&& t.Version == s.version", new: "",
		pkg: "internal/connect/axissigns", tests: "^TestConfirmationsAreKept$",
	},
	{
		name: "the memory of a game that has ended is followed",
		file: "internal/connect/games/memory.go", function: "(*Hub).poll",
		old: "case isNew && !m.seen:", new: "case isNew && false:",
		tests: "^TestOnlyChangesOfSharedMemoryAreHeard$",
	},
	{
		name: "shared memory that others can write is read",
		file: "internal/connect/games/page.go", function: "isOwn",
		old: "&& st.Mode&othersWrite == 0", new: "&& othersWrite > 0",
		tests: "^TestSharedMemoryThatCannotBeRead$",
	},
	{
		name: "a game whose packets contradicted themselves is believed again",
		file: "internal/connect/games/hub.go", function: "(*Hub).offer",
		old: "case err != nil || h.against[s.source] > mostAgainst:", new: "case err != nil:",
		tests: "^TestOtherSignsAreRefusedForGood$",
	},
	{
		name: "pitch of Assetto Corsa is taken as it is told",
		file: "internal/connect/games/assetto.go", function: "(*angleSigns).next",
		old: "angles[i] * math.Copysign(1, a.votes[i])", new: "angles[i]",
		tests: "^TestSignsOfAssettoCorsaAreMeasured$",
	},
	{
		name: "the delay of packets is not what rig says",
		file: "internal/core/follow/follow.go", function: "(*Follower).motion",
		old: "Delay: s.delay, Lost", new: "Delay: s.delay / 2, Lost",
		pkg: "internal/live/rig", tests: "^TestTheDelayIsAsStated$",
	},
}
