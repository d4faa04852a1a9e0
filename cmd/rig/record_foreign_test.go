package main

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/test/level"
)

// foreignPackages are what testdata/read_mcap.mjs needs of npm's registry.
var foreignPackages = []string{"@mcap/core@2.2.2", "protobufjs@7.5.4", "fzstd@0.1.1"}

// foreign is what the reader of another project finds in a file.
type foreign struct {
	Library  string
	Metadata []string
	Counted  int // messages, as the file's statistics have it
	Topics   map[string]foreignTopic
}

type foreignTopic struct {
	Type     string
	Messages int
	First    string `json:"first_ns"`
	Last     string `json:"last_ns"`
	Numbers  map[string]foreignNumber
	Texts    map[string][]string
}

// foreignNumber is a number in the messages of a topic: nil is NaN. The sum leaves NaN out.
type foreignNumber struct {
	First, Last *float64
	Sum         float64
}

// The reader that Foxglove uses finds in a recording, and in a part of one, what rig's own reader finds.
func TestAnotherReaderReadsRecordings(t *testing.T) {
	level.SkipUnlessAll(t, "internal/files/recording reads a recording by its schemas, in Go")
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s: apt-get install nodejs npm", tool)
		}
	}
	read := foreignReader(t)
	path := recordedDrive(t)
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()

	got := read(path)
	if len(got.Topics) < 10 || !slices.Equal(got.Metadata, []string{"rig", "rig.summary"}) {
		t.Errorf("%d topics, metadata %q", len(got.Topics), got.Metadata)
	}
	compareForeign(t, r, got, replay.Part{Channels: channels.All()})
	inputs := got.Topics["/rig/inputs"]
	if inputs.Messages != len(r.Blocks) || inputs.Numbers["count"].Sum != float64(r.Length()) {
		t.Errorf("inputs: %d messages of %g ticks; want %d of %d", inputs.Messages, inputs.Numbers["count"].Sum, len(r.Blocks), r.Length())
	}
	if e := got.Topics["/rig/event"].Texts; !slices.Contains(e["text"], "driving: faded in") || !slices.Contains(e["kind"], string(drivelog.Transition)) {
		t.Errorf("events %q", e)
	}

	part := filepath.Join(t.TempDir(), "part.mcap")
	done(t, "export", path, "--to", "mcap", "-o", part, "--channels", "chassis,force,wheel", "--start", "0.5", "--end", "3.2", "--rate", "50")
	list, err := channels.Named("chassis,force,wheel")
	if err != nil {
		t.Fatal(err)
	}
	got = read(part)
	if inputs := got.Topics["/rig/inputs"]; inputs.Numbers["count"].Sum != 0 {
		t.Errorf("a part holds the inputs of %g ticks", inputs.Numbers["count"].Sum)
	}
	compareForeign(t, r, got, replay.Part{Start: 0.5, End: 3.2, Rate: 50, Channels: list})
}

// foreignReader installs the reader, and returns a function that reads a file with it.
func foreignReader(t *testing.T) func(path string) foreign {
	t.Helper()
	folder := t.TempDir()
	args := append([]string{"install", "--prefix", folder, "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"}, foreignPackages...)
	if out, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
		t.Fatalf("npm: %v\n%s", err, out)
	}
	text, err := os.ReadFile("testdata/read_mcap.mjs")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(folder, "read_mcap.mjs") // where it finds its packages
	if err := os.WriteFile(script, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return func(path string) (got foreign) {
		t.Helper()
		cmd := exec.Command("node", script, path)
		cmd.Stderr = t.Output()
		out, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(out, &got)
		}
		if err != nil {
			t.Fatalf("%s: %v in %.200s", path, err, out)
		}
		return got
	}
}

// compareForeign compares what the reader found with a part of a recording, all channels of it.
func compareForeign(t *testing.T, r *recording.Recording, got foreign, part replay.Part) {
	t.Helper()
	log, err := replay.Log(r, part)
	if err != nil {
		t.Fatal(err)
	}
	if want := "; rig " + r.Header.Version; !strings.HasSuffix(got.Library, want) { // behind that of the MCAP library
		t.Errorf("library %q, want %q at its end", got.Library, want)
	}
	total := 0
	for name, topic := range got.Topics {
		total += topic.Messages
		if topic.Type == "" {
			t.Errorf("%s has no type", name)
		}
	}
	if total != got.Counted {
		t.Errorf("%d messages, and the file counts %d", total, got.Counted)
	}
	nanoseconds := func(i int) string {
		return strconv.FormatInt(r.Header.Began.UnixNano()+int64(math.Round(log.Time(i)*1000))*1e6, 10)
	}
	for i, c := range part.Channels {
		topic := got.Topics["/"+c.Group]
		if first, last := nanoseconds(0), nanoseconds(log.Len()-1); topic.Messages != log.Len() || topic.First != first || topic.Last != last {
			t.Fatalf("/%s: %d messages from %s to %s; want %d from %s to %s", c.Group, topic.Messages, topic.First, topic.Last, log.Len(), first, last)
		}
		number, ok := topic.Numbers[c.Name]
		want := foreignOf(log.Channels[i].Values)
		if !ok || !same(number.First, want.First) || !same(number.Last, want.Last) || number.Sum != want.Sum {
			t.Errorf("%s: %s, want %s", c.Name, describe(number), describe(want))
		}
	}
}

// foreignOf returns what the reader must find of a channel's values. It adds them in the same order.
func foreignOf(values []float64) (n foreignNumber) {
	orNaN := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	n.First, n.Last = orNaN(values[0]), orNaN(values[len(values)-1])
	for _, v := range values {
		if !math.IsNaN(v) {
			n.Sum += v
		}
	}
	return n
}

func same(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func describe(n foreignNumber) string {
	text, _ := json.Marshal(n)
	return string(text)
}
