package config

import (
	"fmt"
	"html"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const chainPicture = "../../../docs/motion-chain.svg"

// link is a part of the way from the car's motion to the actuators.
type link struct {
	title, text string
	table       string   // of rig.toml; "" for none
	keys        []string // its keys that act here, in the order in which they do
}

var chain = []link{
	{title: "car", text: "specific force at the driver's head, rates of turn, roll and pitch of the chassis, road, gears"},
	{title: "[cueing]", text: "which of it becomes motion, and how: the mode, gains, filters, tilt, extra cues", table: "cueing",
		keys: []string{"mode", "direct", "washout", "adaptive", "extra"}},
	{title: "[tuning]", text: "your taste: factors that keys, the web page and rig motion tune change while you drive", table: "tuning",
		keys: []string{"gain", "surge", "sway", "heave", "roll", "pitch", "yaw", "road", "kerb", "shift", "slide", "belt"}},
	{title: "[cueing], limits", text: "the largest position, speed and acceleration of each degree of freedom: the pose", table: "cueing",
		keys: []string{"max_surge_m", "max_sway_m", "max_heave_m", "max_roll_deg", "max_pitch_deg", "max_yaw_deg", "max_speed_m_per_s", "max_rate_deg_per_s", "max_accel_m_per_s2", "max_accel_deg_per_s2"}},
	{title: "[geometry]", text: "how your platform is built: scales a pose beyond the workspace, and makes positions of actuators of it", table: "geometry",
		keys: []string{"kind", "stroke_m", "actuator_spacing_m", "actuator_arm_m", "soft_edge_share"}},
	{title: "[guard]", text: "fades these positions in and out, and takes them away in a stop, a fault or a pause", table: "guard",
		keys: []string{"engage_s", "release_s", "dead_man"}},
	{title: "[motion]", text: "what an actuator may do, whatever it is asked for; then the controller's own bytes", table: "motion",
		keys: []string{"min_share", "max_share", "spike_share", "max_speed_strokes_per_s", "max_accel_strokes_per_s2", "max_jerk_strokes_per_s3", "rate_hz", "protocol", "port", "baud"}},
	{title: "actuators", text: "and back: measured positions, in rig motion watch and on the page M of the window"},
}

// TestMotionChain: the picture of docs/platforms.md names only keys that there are, and all those of [tuning].
// `go test ./internal/files/config -run MotionChain -write` draws it anew.
func TestMotionChain(t *testing.T) {
	for _, l := range chain {
		known := keysOf(t, l.table)
		for _, key := range l.keys {
			if !slices.Contains(known, key) {
				t.Errorf("[%s] has no key %s", l.table, key)
			}
		}
		if l.table == "tuning" && len(l.keys) != len(known) {
			t.Errorf("[tuning] has the keys %v, the picture %v", known, l.keys)
		}
	}
	want := drawChain(chain)
	if *write {
		if err := os.WriteFile(chainPicture, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if has, err := os.ReadFile(chainPicture); err != nil || string(has) != want {
		t.Errorf("%s differs from the chain (%v): go test ./internal/files/config -run MotionChain -write", chainPicture, err)
	}
}

// keysOf returns the keys of a table of rig.toml, tables in it included.
func keysOf(t *testing.T, table string) (keys []string) {
	t.Helper()
	if table == "" {
		return nil
	}
	in := reflect.TypeFor[Config]()
	i := slices.IndexFunc(reflect.VisibleFields(in), func(f reflect.StructField) bool { return f.Tag.Get("toml") == table })
	if i < 0 {
		t.Fatalf("rig.toml has no table %s", table)
	}
	for _, f := range reflect.VisibleFields(reflect.VisibleFields(in)[i].Type) {
		if key, _, _ := strings.Cut(f.Tag.Get("toml"), ","); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// Lengths of the picture [px].
const (
	chainWidth = 860
	chainLine  = 18
	chainGap   = 24
	keyColumns = 100 // letters in a line of keys
)

// drawChain returns the picture: a box for each link, from top to bottom.
func drawChain(links []link) string {
	var b strings.Builder
	y := 10
	for i, l := range links {
		lines := wrap(l.keys, keyColumns)
		height := (2+len(lines))*chainLine + 12
		if i > 0 {
			fmt.Fprintf(&b, "<path d=\"M60 %d v%d m-5 -6 l5 6 l5 -6\" fill=\"none\" stroke=\"#345\" stroke-width=\"2\"/>\n", y-chainGap, chainGap)
		}
		fill := "#eef3f8"
		if l.table == "" {
			fill = "#dfe8d8"
		}
		fmt.Fprintf(&b, "<rect x=\"10\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\" stroke=\"#345\"/>\n", y, chainWidth-20, height, fill)
		text(&b, y+chainLine+2, "font-weight=\"bold\"", l.title)
		text(&b, y+2*chainLine+2, "", l.text)
		for n, line := range lines {
			text(&b, y+(3+n)*chainLine+2, "font-family=\"monospace\" font-size=\"12\" fill=\"#024\"", line)
		}
		y += height + chainGap
	}
	height := y - chainGap + 10
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"14\">\n"+
		"<title>From the car's motion to the actuators, and which keys of rig.toml act where</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n%s</svg>\n",
		chainWidth, height, chainWidth, height, b.String())
}

func text(b *strings.Builder, y int, style, line string) {
	fmt.Fprintf(b, "<text x=\"24\" y=\"%d\" %s>%s</text>\n", y, style, html.EscapeString(line))
}

// wrap joins words to lines that are no longer than a number of letters.
func wrap(words []string, columns int) (lines []string) {
	for _, w := range words {
		last := len(lines) - 1
		if last < 0 || len(lines[last])+2+len(w) > columns {
			lines = append(lines, w)
			continue
		}
		lines[last] += "  " + w
	}
	return lines
}
