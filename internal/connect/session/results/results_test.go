package results

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/race"
)

// example is a race of two laps in which the second on the grid wins; its driver has a hostile name.
func example() race.Results {
	return race.Results{
		Session: "friday", Circuit: session.Circuit{Name: "club", Length: 2600}, Rules: session.Rules{Laps: 2}, Created: 1_780_000_000, Phase: session.Ended, Raced: true,
		Standings: []session.Standing{
			{Place: 1, Member: "b", Driver: `<script>"=x`, Car: "coupe", Grid: 2, Laps: 2, Time: 80.5, Best: 39.5, Status: "finished"},
			{Place: 2, Member: "a", Driver: "=Ada", Car: "club", Grid: 1, Laps: 2, Time: 3681.25, Gap: 0.75, Best: 40, Penalty: 3, Cuts: 1, Status: "finished"},
		},
		Rigs: []race.Rig{
			{Member: "b", Driver: `<script>"=x`, Laps: []race.Lap{{Lap: 1, Race: 41, Time: 40, Valid: true}, {Lap: 2, Race: 80.5, Time: 39.5, Valid: true, Sectors: []float64{20, 19.5}}}, Refused: []string{"3 s"}},
			{Member: "a", Driver: "=Ada", Laps: []race.Lap{{Lap: 1, Race: 40.5, Time: 40, Valid: true}, {Lap: 2, Race: 81.25, Time: 40.75, InPit: true}}, Penalties: []race.Penalty{{Seconds: 3, Text: "<b>cut"}}},
		},
	}
}

func TestTimes(t *testing.T) {
	for seconds, want := range map[float64]string{0: "-", 59.9996: "1:00.000", 83.4567: "1:23.457", 3681.25: "1:01:21.250", -2: "−0:02.000"} {
		if got := Time(seconds); got != want {
			t.Errorf("%g s: %s, want %s", seconds, got, want)
		}
	}
}

func TestCSV(t *testing.T) {
	var b bytes.Buffer
	if err := CSV(&b, example()); err != nil {
		t.Fatal(err)
	}
	const want = `place,member,driver,car,lap,lap_s,race_s,valid,in_pit,sector1_s,sector2_s
1,b,"<script>""=x",coupe,1,40.000,41.000,true,false,,
1,b,"<script>""=x",coupe,2,39.500,80.500,true,false,20.000,19.500
2,a,'=Ada,club,1,40.000,40.500,true,false,,
2,a,'=Ada,club,2,40.750,81.250,false,true,,
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestThePage(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, example()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"<title>friday, club: results</title>", "2026-05-28 20:26 UTC, 2 laps</p>", "<td>1</td><td class=\"text\">&lt;script&gt;&#34;=x</td>", "<td>&#43;0.750</td>", "<td>1:20.500</td>",
		"Penalty: &lt;b&gt;cut, &#43;3 s", "A lap that does not count: 3 s", `<tr class="best"><td>2</td><td>0:39.500</td><td>0:20.000</td><td>0:19.500</td>`, "pit, invalid",
		`points="44,334 387,334 730,10"`, `points="44,10 387,10 730,334"`, // places: b from 2 over 2 to 1, a from 1 over 1 to 2
		`points="44,10 387,172 730,10"`, `points="44,10 387,10 730,253"`, // gaps on 1 s: b 0.5 s then 0, a 0 then 0.75 s
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if regexp.MustCompile(`(?i)<script|https?:|<b>`).MatchString(text) {
		t.Error("the page has code or an address")
	}
}

// Sessions without laps, and with many rigs, make pages too.
func TestPagesOfUnusualSessions(t *testing.T) {
	many := race.Results{Raced: true}
	for i := range session.MaxMembers {
		many.Standings = append(many.Standings, session.Standing{Place: i + 1, Driver: "driver"})
		many.Rigs = append(many.Rigs, race.Rig{Driver: "driver", Laps: make([]race.Lap, 300)})
	}
	for _, r := range []race.Results{{}, {Raced: true}, many} {
		var b bytes.Buffer
		if err := HTML(&b, r); err != nil || strings.Contains(b.String(), "NaN") {
			t.Errorf("%v, %d bytes", err, b.Len())
		}
	}
}
