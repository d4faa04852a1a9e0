package main

// displayMutants are faults in when pictures are shown, and in what the rig says of them.
var displayMutants = []mutant{
	{
		name: "a picture shows the car of its frame, not of the time at which it is seen",
		file: "display/pacing/pacing.go", function: "(*Pacer).Age",
		old: "min(max(seen-due, 0), MaxAge)", new: "0",
		tests: "^TestStepsOfACarAreEven$",
	},
	{
		name: "the grid of scan-outs jumps to each return",
		file: "display/pacing/grid.go", function: "",
		old: "phaseGain    = 0.03", new: "phaseGain    = 1.0",
		tests: "^TestStepsOfACarAreEven$",
	},
	{
		name: "a picture is expected when its swap returned last",
		file: "display/pacing/pacing.go", function: "(*Pacer).Seen",
		old: "if !p.onGrid() {", new: "if true {",
		tests: "^TestStepsOfACarAreEven$",
	},
	{
		name: "queued pictures are not counted",
		file: "display/pacing/pacing.go", function: "(*Pacer).queue",
		old: "max(p.scanOut, now)+1", new: "now+1",
		tests: "^TestAMissedRefreshMakesOneStepLonger$",
	},
	{
		name: "a picture that is late before it is drawn is expected at the refresh that it missed",
		file: "display/pacing/pacing.go", function: "(*Pacer).Seen",
		old: "max(p.scanOut+p.shortestStep(), p.grid.numberAt(p.began+p.toCall)+1)", new: "p.scanOut + p.shortestStep()",
		tests: "^TestAMissedRefreshMakesOneStepLonger$",
	},
	{
		name: "swaps that never wait are taken for scan-outs",
		file: "display/pacing/pacing.go", function: "(*Pacer).onGrid",
		old: "p.waits && p.grid.locked", new: "true",
		tests: "^TestStepsWithoutVSync$",
	},
	{
		name: "the interval of another screen is kept",
		file: "display/pacing/grid.go", function: "(*grid).collect",
		old: "if !g.locked {", new: "if false {",
		tests: "^TestStepsOfACarAreEven$",
	},
	{
		name: "a stopped loop shows a car that drives on",
		file: "display/pacing/pacing.go", function: "(*Pacer).Age",
		old: "min(max(seen-due, 0), MaxAge)", new: "max(seen-due, 0)",
		tests: "^TestACarStopsWithItsLoop$",
	},
	{
		name: "a frozen car trembles",
		file: "display/pacing/pacing.go", function: "(*Pacer).Age",
		old: "p.frozen = true", new: "p.due = due",
		tests: "^TestACarStopsWithItsLoop$",
	},
	{
		name: "frame times of the start stay in those of the last seconds",
		file: "display/pacing/figures.go", function: "(*figures).sumUp",
		old: "f.returned+blockTime, loop.Histogram{}", new: "f.returned+blockTime, f.block",
		tests: "^TestFigures$",
	},
	{
		name: "dropped pictures are not counted",
		file: "display/pacing/figures.go", function: "(*figures).take",
		old: "int64(f.shown.Dropped)+steps-1", new: "int64(f.shown.Dropped)",
		tests: "^TestFigures$",
	},
	{
		name: "a figure of the display that is NaN reaches the rig",
		file: "internal/page/page.go", function: "loadFigure",
		old: "!(v >= 0 && v <= math.MaxFloat64)", new: "v < 0 || v > math.MaxFloat64",
		tests: "^TestFiguresOfTheDisplay$",
	},
	{
		name: "ticks that are made up for have the deadline of the late one",
		file: "internal/loop/loop.go", function: "Run",
		old: "next + time.Duration(i)*period", new: "next",
		tests: "^TestEachTickKnowsItsDeadline$",
	},
	{
		name: "frames do not say when their period began",
		file: "internal/rig/act.go", function: "(*Rig).act",
		old: "int64(r.stats.Due)", new: "0",
		tests: "^TestAFrameHasItsTimeAndTheFiguresOfTheDisplay$",
	},
	{
		name: "the frames of a triple's screens are forgotten",
		file: "display/screens/screens.go", function: "Config.TripleAngle",
		old: "c.Width/2+c.Bezel", new: "c.Width/2",
		tests: "^TestFieldsOfView$",
	},
	{
		name: "a screen at an angle is drawn as if it stood straight ahead of its middle",
		file: "display/screens/facet.go", function: "(*Facet).Through",
		old: "l.West, l.East = dot(l.Right, low)/distance, dot(l.Right, right)/distance", new: "w := (dot(l.Right, right) - dot(l.Right, low)) / 2 / distance; l.West, l.East = -w, w",
		tests: "^TestAPointLandsWhereTheLineOfSightCrossesTheScreen$",
	},
	{
		name: "the eye on a moved platform stays where it was",
		file: "display/screens/platform.go", function: "OnPlatform",
		old: "h.Place = sub(h.Place, eye)", new: "h.Place = vector{}",
		tests: "^TestScreensOnTheFloorStayTrue$",
	},
	{
		name: "the picture leans with the platform instead of against it",
		file: "display/screens/platform.go", function: "OnPlatform",
		old: "{cy*sp*sr - sy*cr, sy*sp*sr + cy*cr, cp * sr}", new: "{cy*sp*sr - sy*cr, sy*sp*sr + cy*cr, -cp * sr}",
		tests: "^TestScreensOnTheFloorStayTrue$",
	},
	{
		name: "a bend is flat",
		file: "display/screens/facet.go", function: "(*Screen).edge",
		old: "if s.Radius > 0 {", new: "if s.Radius < 0 {",
		tests: "^TestABendIsFollowed$",
	},
	{
		name: "a platform without feedback counts as being where it was sent just now",
		file: "display/screens/platform.go", function: "(*Platform).delayed",
		old: "now-delay", new: "now-0*delay",
		tests: "^TestTheHeadFollowsThePlatform$",
	},
	{
		name: "what the driver chose in the window is forgotten",
		file: "display/remembered.go", function: "(*remembered).save",
		old: `if r.path == "" {`, new: `if true {`,
		tests: "^TestChoicesAreKept$",
	},
}
