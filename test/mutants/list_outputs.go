package main

// outputMutants are faults in what other programs get, and in what the web page may do.
var outputMutants = []mutant{
	{
		name: "a name that was made to point here opens the web page",
		file: "internal/connect/dash/hosts.go", function: "(*server).checkHost",
		old: "err == nil && local.IsValid() && a.Unmap() == local", new: "err == nil && local.IsValid() && a.Unmap() == local || true",
		tests: "^TestHosts$",
	},
	{
		name: "a page of another site stops the rig",
		file: "internal/connect/dash/hosts.go", function: "checkSite",
		old: `!strings.EqualFold(header.Get("Origin"), "http://"+r.Host)`, new: "false",
		tests: "^TestOrdersOfOtherSites$",
	},
	{
		name: "gains are changed without a token",
		file: "internal/connect/dash/server.go", function: "newServer",
		old: "{http.MethodPost, tuning, s.tune}", new: "{http.MethodPost, reading, s.tune}",
		tests: "^TestWhoMayDoWhat$",
	},
	{
		name: "what a proxy passes on counts as this machine",
		file: "internal/connect/dash/hosts.go", function: "isLocal",
		old: `if r.Header.Get(header) != "" {`, new: `if r.Header.Get(header) == "never" {`,
		tests: "^TestAProxyIsNotLocal$",
	},
	{
		name: "the web page orders a share above 1",
		file: "internal/connect/dash/orders.go", function: "parseShare",
		old: " || share > 1", new: "",
		tests: "^TestTune$",
	},
	{
		name: "one address takes all connections of the web page",
		file: "internal/connect/dash/listener.go", function: "(*limitedListener).admit",
		old: " || l.byPeer[peer] >= maxConnectionsPerPeer", new: "",
		tests: "^TestConnectionsAreLimitedInAllAndPerAddress$",
	},
	{
		name: "telemetry is written beside another writer",
		file: "internal/connect/telemetry/simapi_file.go", function: "(*simAPIFile).send",
		old: "now != f.own && ", new: "false && ",
		tests: "^TestOneWriterAtATime$",
	},
	{
		name: "the shared memory of telemetry may be a link",
		file: "internal/connect/telemetry/simapi_file.go", function: "openSimAPI",
		old: "|unix.O_NOFOLLOW", new: "",
		tests: "^TestAStrangersFileIsRefused$",
	},
	{
		name: "a packet of telemetry holds NaN",
		file: "internal/connect/telemetry/fields.go", function: "bounded",
		old: "if v != v {", new: "if v != v && low == 0 {",
		tests: "^TestPacketsHoldNoNaN$",
	},
	{
		name: "OutSim tells the lateral force to the other side",
		file: "internal/connect/telemetry/outsim.go", function: "outSimWheel",
		old: "-w.LateralForce", new: "w.LateralForce",
		tests: "^TestWheelsOfOutSim$",
	},
	{
		name: "Forza's car turns to the other side",
		file: "internal/connect/telemetry/forza.go", function: "appendForza",
		old: "f.Rate[1], -f.Rate[2], -f.Rate[0]", new: "f.Rate[1], f.Rate[2], -f.Rate[0]",
		tests: "^TestEachFormatSaysInWordsWhatTheCarDoes$",
	},
	{
		name: "telemetry may be aimed at the rig itself",
		file: "internal/connect/telemetry/config.go", function: "Config.CheckLoops",
		old: "to == port && isOwn(host, own)", new: "to == port && host == listen",
		tests: "^TestAnOutputAtTheRigItselfIsRefused$",
	},
}
