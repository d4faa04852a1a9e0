package drivereport

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/drivelog"
)

const hostile = "</script><img src=x onerror=\"hacked=1\">'`${1}\u202e\x00"

// written returns the page of a report.
func written(t *testing.T, r Report) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// figures returns the ids of the plots in a page.
func figures(page string) (ids []string) {
	for _, m := range regexp.MustCompile(`<figure [^>]*id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// embedded returns the data in a page.
func embedded(t *testing.T, page string) (d data) {
	t.Helper()
	m := regexp.MustCompile(`(?s)id="data">(.*?)</script>`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the page has no data")
	}
	if err := json.Unmarshal([]byte(m[1]), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// values returns the values of a channel in the page.
func (c channel) values(t *testing.T) (list []float64) {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(c.Values)
	if err != nil {
		t.Fatal(err)
	}
	for ; len(raw) > 0; raw = raw[4:] {
		list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw))))
	}
	return list
}

// bare returns a log of some channels, each given by its name and unit.
func bare(channels map[string]string, values ...float64) *drivelog.Log {
	log := &drivelog.Log{Car: "kart", Track: "hall", Rate: 10}
	for name, unit := range channels {
		log.Channels = append(log.Channels, drivelog.Channel{Name: name, Unit: unit, Decimals: 2, Values: values})
	}
	return log
}

func TestThePageHasHeadAndEveryPlot(t *testing.T) {
	log := oval(1)
	log.Laps[0].Valid = false
	page := written(t, Report{Drives: []*drivelog.Log{log}, Notes: []string{"A replay & more."}})
	for _, want := range []string{
		"<title>club_racer, oval: drive report</title>", "3 May 2026, 14:30 UTC", "1:00.0 min, 100 samples/s", "177 km/h", "A replay &amp; more.",
		`<tr class="invalid"><td>1</td><td>0:26.460</td><td>0:13.250</td><td>0:13.210</td><td>invalid</td></tr>`,
		`<tr class="best"><td>2</td><td>0:26.430</td><td class="best">0:13.220</td><td class="best">0:13.210</td><td>best</td></tr>`,
		`<td>0:51.7</td><td><span class="kind fault">fault</span></td><td>platform: leg 3 does not follow its target</td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	want := []string{"map", "gg", "histogram", "speed", "difference", "pedals", "steering", "gear", "engine", "accelerations", "yaw", "torque", "travel", "load",
		"slip-ratio", "slip-angle", "platform-position", "platform-angle", "lateness"}
	if got := figures(page); !slices.Equal(got, want) {
		t.Errorf("plots %q, want %q", got, want)
	}
}

func TestThePageLoadsNothing(t *testing.T) {
	page := written(t, Report{Drives: []*drivelog.Log{oval(1)}})
	if !strings.Contains(page, `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"`) {
		t.Error("the page does not forbid itself to load anything")
	}
	if found := regexp.MustCompile(`https?:|\bsrc=|@import|url\(|fetch\(|<link rel="(stylesheet|preload)`).FindString(page); found != "" {
		t.Errorf("the page has %s", found)
	}
}

func TestTextIsEscaped(t *testing.T) {
	log := bare(map[string]string{"speed": hostile, "rim_torque": "N·m"}, 1, 2)
	log.Car, log.Track = hostile, hostile
	log.Events = []drivelog.Event{{Kind: hostile, Text: hostile}}
	page := written(t, Report{Drives: []*drivelog.Log{log, log}, Titles: []string{"", hostile}, Notes: []string{hostile}})
	if strings.Contains(page, "<img") || strings.Count(page, "<script") != 2 || strings.Count(page, "</script") != 2 {
		t.Error("text of the log became an element")
	}
	if strings.ContainsAny(page, "\u202e\x00") {
		t.Error("the page has control characters of the log")
	}
	if got := embedded(t, page).Drives[1].Title; !strings.HasPrefix(got, "</script><img") {
		t.Errorf("title %q is not that of the report", got)
	}
}

func TestPlotsWithoutValuesAreLeftOut(t *testing.T) {
	for _, tt := range []struct {
		name string
		log  *drivelog.Log
		want []string
	}{
		{"nothing is known", bare(map[string]string{"speed": "m/s", "position_x": "m"}, math.NaN(), math.Inf(1)), nil},
		{"speed alone", bare(map[string]string{"speed": "m/s", "position_x": "m", "longitudinal_acceleration": "m/s²"}, 1, math.NaN()), []string{"speed", "accelerations"}},
		{"a map", bare(map[string]string{"position_x": "m", "position_y": "m"}, 1, 2), []string{"map"}},
		{"an actuator", bare(map[string]string{"actuator_3_target": "m"}, 1, 2), []string{"actuators"}},
	} {
		if got := figures(written(t, Report{Drives: []*drivelog.Log{tt.log}})); !slices.Equal(got, tt.want) {
			t.Errorf("%s: plots %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestOneOfTwoDrivesIsEnoughForAPlot(t *testing.T) {
	a, b := bare(map[string]string{"speed": "m/s"}, 1, 2), bare(map[string]string{"clutch": ""}, 0, 1)
	d := embedded(t, written(t, Report{Drives: []*drivelog.Log{a, b}}))
	if len(d.Plots) != 2 || d.Plots[1].ID != "pedals" || len(d.Plots[1].Lines) != 1 || d.Plots[1].Unit != "%" {
		t.Errorf("plots %+v, want the speed and the clutch", d.Plots)
	}
}

func TestADemandAloneIsAnOrdinaryLine(t *testing.T) {
	d := embedded(t, written(t, Report{Drives: []*drivelog.Log{bare(map[string]string{"platform_heave": "m"}, 0.1)}}))
	if line := d.Plots[0].Lines[0]; line.Broad {
		t.Errorf("line %+v is broad", line)
	}
}

func TestValuesAreShownInFamiliarUnits(t *testing.T) {
	for _, tt := range []struct {
		channel, unit string
		value         float64
		want          string
		shown         float64
		digits        int
	}{
		{"speed", "m/s", 10, "km/h", 36, 1},
		{"speed", "mph", 10, "mph", 10, 2},
		{"steering_wheel_angle", "rad", math.Pi / 2, "°", 90, 0},
		{"engine_speed", "rad/s", 10 * math.Pi, "rpm", 300, 1},
		{"throttle", "", 0.5, "%", 50, 0},
		{"longitudinal_acceleration", "m/s²", 9.80665, "g", 1, 3},
		{"wheel_fl_travel", "m", 0.01, "mm", 10, 0},
		{"wheel_rr_load", "N", 2500, "kN", 2.5, 3},
		{"position_x", "m", 12, "m", 12, 2},
	} {
		d := embedded(t, written(t, Report{Drives: []*drivelog.Log{bare(map[string]string{tt.channel: tt.unit}, tt.value)}}))
		c := d.Drives[0].Channels[tt.channel]
		if got := c.values(t)[0]; c.Unit != tt.want || math.Abs(got-tt.shown) > 1e-4 || c.Digits != tt.digits {
			t.Errorf("%s of %g %s: %g %s with %d decimals, want %g %s with %d", tt.channel, tt.value, tt.unit, got, c.Unit, c.Digits, tt.shown, tt.want, tt.digits)
		}
	}
}

func TestUnknownTimesAndSectors(t *testing.T) {
	log := bare(map[string]string{"speed": "m/s"}, 1, 2)
	log.Laps = []drivelog.Lap{
		{Number: 1, Time: math.NaN(), Valid: true, Splits: []float64{1}},
		{Number: 2, Start: 0, Time: 59.9996, Valid: true, Splits: []float64{30, math.NaN()}},
		{Number: 3, Start: 60, Time: 60.5, Valid: true, Splits: []float64{30}},
	}
	log.Events = []drivelog.Event{{Time: math.Inf(1), Kind: drivelog.Mark}, {Time: -0.04, Kind: drivelog.Mark, Text: "two\nlines"}}
	page := written(t, Report{Drives: []*drivelog.Log{log}})
	for _, want := range []string{"<td>2</td><td>1:00.000</td><td>–</td><td>best</td>", "<td>3</td><td>1:00.500</td><td class=\"best\">0:30.000</td><td>&#43;0.500</td>", "<td>0:00.0</td>", `two\nlines`, "unknown"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	if d := embedded(t, page); len(d.Drives[0].Laps) != 2 || len(d.Drives[0].Events) != 1 {
		t.Errorf("laps %v and events %v, want 2 and 1", d.Drives[0].Laps, d.Drives[0].Events)
	}
}

func TestLongChannelsKeepTheirPeaks(t *testing.T) {
	values := make([]float64, 10*maxSamples+1)
	values[123_457], values[123_458], values[50] = 5, -5, math.NaN()
	log := bare(map[string]string{"rim_torque": "N·m", "position_x": "m"}, values...)
	v := embedded(t, written(t, Report{Drives: []*drivelog.Log{log}})).Drives[0]
	if v.Count > maxSamples || math.Abs(v.Step-1.1) > 1e-9 {
		t.Errorf("%d samples, one every %g s; want one every 1.1 s", v.Count, v.Step)
	}
	got := v.Channels["rim_torque"].values(t)
	if len(got) != v.Count || slices.Max(got) != 5 || slices.Min(got) != -5 || slices.Index(got, 5) != slices.Index(got, -5)-1 || slices.Index(got, 5)/2 != 123_457/22 {
		t.Errorf("%d samples from %g to %g; the peaks are lost or in another place", len(got), slices.Min(got), slices.Max(got))
	}
	if got := v.Channels["position_x"].values(t); len(got) != v.Count || slices.Max(got) != 0 {
		t.Errorf("%d positions to %g, want one of every 11", len(got), slices.Max(got))
	}
}

func TestClippingIsMarked(t *testing.T) {
	log := bare(map[string]string{"rim_torque": "N·m"}, 1, 8, -8, 8, math.NaN())
	log.Channels = append(log.Channels, drivelog.Channel{Name: "rim_torque_requested", Values: []float64{1.1, 8.2, -9, 12, 9}})
	page := written(t, Report{Drives: []*drivelog.Log{log}})
	got := embedded(t, page).Drives[0].Channels["clipped"].values(t)
	if !slices.Equal(got[:4], []float64{0, 0, 1, 1}) || !math.IsNaN(got[4]) {
		t.Errorf("clipped %v, want the third and fourth sample", got)
	}
	if !strings.Contains(page, "50.0 % of the time") {
		t.Error("the page does not say how much is clipped")
	}
}

func TestLatenessIsCounted(t *testing.T) {
	log := bare(map[string]string{"lateness": "s"}, 3e-6, 3.5e-6, 100e-6, math.NaN())
	got := embedded(t, written(t, Report{Drives: []*drivelog.Log{log}})).Bins
	if len(got) != 6 || got[0] != (loop.Bin{UpTo: 4096, Count: 2}) || got[5] != (loop.Bin{UpTo: 131072, Count: 1}) {
		t.Errorf("bins %v, want two below 4.096 µs and one below 131.072 µs", got)
	}
	given := []loop.Bin{{UpTo: time.Millisecond, Count: 7}}
	if got := embedded(t, written(t, Report{Drives: []*drivelog.Log{log}, Lateness: given})).Bins; !slices.Equal(got, given) {
		t.Errorf("bins %v, want those of the report", got)
	}
}

func TestReportsThatCannotBeWritten(t *testing.T) {
	good := bare(map[string]string{"speed": "m/s"}, 1)
	uneven := bare(map[string]string{"speed": "m/s"}, 1)
	uneven.Channels = append(uneven.Channels, drivelog.Channel{Name: "steering_wheel_angle"})
	still := bare(map[string]string{"speed": "m/s"}, 1)
	still.Rate = math.NaN()
	for _, tt := range []struct {
		drives []*drivelog.Log
		want   string
	}{
		{nil, "0 drives: must be 1 or 2"},
		{[]*drivelog.Log{good, good, good}, "3 drives"},
		{[]*drivelog.Log{good, {Rate: 1}}, "drive 2: it has no samples"},
		{[]*drivelog.Log{uneven}, "channel steering_wheel_angle has 0 samples: must be 1"},
		{[]*drivelog.Log{still}, "NaN samples per second: must be above 0"},
	} {
		if err := Write(io.Discard, Report{Drives: tt.drives}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
}
