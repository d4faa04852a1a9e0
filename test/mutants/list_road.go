package main

// roadMutants are faults in roads, grounds and what is measured on them.
var roadMutants = []mutant{
	{
		name: "the map of a circuit has its arrow before the start, and a page the old map",
		file: "internal/tools/lab/survey/picture.go", function: "(*Report).drawLine",
		old: "c.Start + 0.03*c.Length()", new: "c.Start - 0.03*c.Length()",
		tests: "^TestPicturesAreMadeByTheProgram$", pkg: "cmd/rig",
	},
	{
		name: "a ground far from the origin is not moved to it",
		file: "road/origin.go", function: "originAlong",
		old: "low <= originNear && high >= -originNear", new: "low == low",
		tests: "^TestOrigin$",
	},
	{
		name: "coordinates in degrees are read as metres",
		file: "road/origin.go", function: "Origin",
		old: "looksLikeDegrees(low, high)", new: "low.X > high.X",
		tests: "^TestOrigin$",
	},
	{
		name: "the ground beside an OpenCRG road stays when the road is moved",
		file: "road/crg/crg.go", function: "(*Road).Shift",
		old: "a.borderOffset -= origin.Z", new: "a.borderOffset -= 0",
		tests: "^TestBorders$",
	},
	{
		name: "the search along a winding line has no limit",
		file: "road/crg/tree.go", function: "(*tree).search",
		old: "n > 0 && visits < maxVisits", new: "n > 0",
		tests: "^TestASearchOfAWoundLineEnds$",
	},
	{
		name: "many triangles above each other are accepted",
		file: "road/mesh/build.go", function: "(*Mesh).checkPiles",
		old: "n > limit", new: "n < 0",
		tests: "^TestPilesAreRefused$",
	},
	{
		name: "a large face is split into thin triangles from its first corner",
		file: "road/scan/polygon.go", function: "(*objReader).splitConvex",
		old: "mid := (from + to) / 2", new: "mid := from + 1",
		tests: "^TestOBJManyCorners$",
	},
	{
		name: "a table with a racing line is not moved with its ground",
		file: "internal/files/circuit/line.go", function: "(*Site).waypoints",
		old: "s.Origin)", new: "r3.Vec{})",
		tests: "^TestARoadIsTheSameWhereverItsFileLies$",
	},
	{
		name: "ground without data is used",
		file: "internal/tools/lab/survey/aerial.go", function: "(*aerial).surfaces",
		old: "&& !v.noData[k]", new: "",
		tests: "^TestTheAreaOfOpenCRGIsThatOfItsData$",
	},
	{
		name: "the triangles of an OpenDRIVE road have no limit of work",
		file: "road/opendrive/mesh.go", function: "(*builder).addWork",
		old: "b.work > b.options.MaxWork", new: "false",
		tests: "^TestWorkOnTrianglesIsBounded$",
	},
	{
		name: "ignored elements of an OpenDRIVE file are not counted",
		file: "road/opendrive/element_filter.go", function: "(*elementFilter).skip",
		old: "s.reader.countUnused(parent, name)", new: "_ = parent",
		tests: "^TestEveryElementThatIsNotReadIsCounted$",
	},
	{
		name: "the nesting of an OpenDRIVE file has no limit",
		file: "road/opendrive/element_filter.go", function: "(*elementFilter).next",
		old: "s.depth > s.reader.limits.depth", new: "false",
		tests: "^TestFilesBeyondALimitAreRefused$",
	},
	{
		name: "roads with a gap between them are joined",
		file: "road/opendrive/route_line.go", function: "(*router).join",
		old: "math.Abs(along) > maxGapAhead", new: "false",
		tests: "^TestRoutesThatDoNotHold$",
	},
	{
		name: "a road driven against its direction has the wrong bank",
		file: "road/opendrive/route.go", function: "routeLeg.asDriven",
		old: "-p.Bank", new: "p.Bank",
		tests: "^TestARoadDrivenBackLeansTheOtherWay$",
	},
	{
		name: "the ground oscillates beside kinks of a road",
		file: "road/opendrive/mesh_guards.go", function: "(*builder).guardDistance",
		old: "change > sharpEdgeSlope || change < 1e-4", new: "true",
		tests: "^TestTheGroundOfARoadLiesNearIt$", pkg: "internal/files/circuit",
	},
	{
		name: "a probe that starts below a bridge finds the bridge",
		file: "internal/tools/lab/survey/probe.go", function: "(*Prober).below",
		old: "min(startHeight, p.top)}, r3", new: "p.top}, r3",
		tests: "^TestProbeReturnsTheGround$",
	},
	{
		name: "in wet weather no water stands on the tarmac",
		file: "internal/files/circuit/circuit.go", function: "(*Site).surface",
		old: "out.Wet || tire.IsWet(s.o.Weather)", new: "out.Wet",
		tests: "^TestMaterialsOfTheClubCircuit$", pkg: "internal/files/scenery",
	},
}
