// Package results writes the outcome of a session for people and other programs: a table for spreadsheets, and a web page
// with tables and charts that needs nothing else, neither a network nor a library. Names in it come from other machines
// and are not trusted.
package results

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/reportstyle"
)

var (
	//go:embed page.html
	layout string
	//go:embed page.css
	style template.CSS

	pageTemplate = template.Must(template.New("page").Parse(layout))
)

// Time returns a time in seconds as minutes and seconds, or - for 0, which is unknown.
func Time(seconds float64) string {
	if seconds == 0 {
		return "-"
	}
	ms := int64(math.Round(math.Abs(seconds) * 1000))
	text := fmt.Sprintf("%d:%02d.%03d", ms/60000, ms/1000%60, ms%1000)
	if hours := ms / 3600000; hours > 0 {
		text = fmt.Sprintf("%d:%02d:%02d.%03d", hours, ms/60000%60, ms/1000%60, ms%1000)
	}
	if seconds < 0 {
		return "−" + text
	}
	return text
}

// CSV writes every lap of everybody as a line, in the order of the classification.
func CSV(w io.Writer, r race.Results) error {
	sectors := 0
	for _, rig := range r.Rigs {
		for _, l := range rig.Laps {
			sectors = max(sectors, len(l.Sectors))
		}
	}
	head := []string{"place", "member", "driver", "car", "lap", "lap_s", "race_s", "valid", "in_pit"}
	for i := range sectors {
		head = append(head, fmt.Sprintf("sector%d_s", i+1))
	}
	c := csv.NewWriter(w)
	if err := c.Write(head); err != nil {
		return err
	}
	for i, rig := range r.Rigs {
		s := r.Standings[i]
		for _, l := range rig.Laps {
			line := []string{strconv.Itoa(s.Place), string(s.Member), cell(s.Driver), cell(s.Car), strconv.Itoa(l.Lap), number(l.Time), number(l.Race), strconv.FormatBool(l.Valid), strconv.FormatBool(l.InPit)}
			for _, t := range l.Sectors {
				line = append(line, number(t))
			}
			for len(line) < len(head) {
				line = append(line, "")
			}
			if err := c.Write(line); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

// Gap returns how far a rig is behind the leader, as text.
func Gap(s session.Standing) string {
	switch {
	case s.LapsDown > 0:
		return fmt.Sprintf("%d laps", s.LapsDown)
	case s.Gap > 0:
		return fmt.Sprintf("+%.3f", s.Gap)
	}
	return "-"
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// cell returns a text that no spreadsheet takes for a formula.
func cell(text string) string {
	text = printable.Name(text)
	if text != "" && (text[0] == '=' || text[0] == '+' || text[0] == '-' || text[0] == '@') {
		return "'" + text
	}
	return text
}

// page is what the template reads.
type page struct {
	Title, When string
	Style       template.CSS
	Raced       bool
	Final       bool
	Limit       string // of the race
	Rows        []row
	Charts      []chart
	Rigs        []laps
}

// row is a line of the classification.
type row struct {
	Place                                                          int
	Driver, Car, Grid, Laps, Time, Gap, Best, Penalty, Cuts, Stops string
	Status                                                         string
}

// laps are those of one rig.
type laps struct {
	Driver    string
	Sectors   []int
	Laps      []lapRow
	Penalties []string
	Refused   []string
}

type lapRow struct {
	Lap     int
	Time    string
	Sectors []string
	Notes   string
	Best    bool
}

// HTML writes the page.
func HTML(w io.Writer, r race.Results) error {
	p := page{
		Title: fmt.Sprintf("%s, %s", r.Session, printable.Name(r.Circuit.Name)), When: time.Unix(r.Created, 0).UTC().Format("2006-01-02 15:04 UTC"),
		Style: reportstyle.CSS + style, Raced: r.Raced, Final: r.Phase == "ended",
	}
	switch {
	case r.Rules.Laps > 0:
		p.Limit = fmt.Sprintf("%d laps", r.Rules.Laps)
	case r.Rules.Duration > 0:
		p.Limit = fmt.Sprintf("%g minutes", r.Rules.Duration/60)
	}
	for i, s := range r.Standings {
		p.Rows = append(p.Rows, row{s.Place, printable.Name(s.Driver), printable.Name(s.Car), count(s.Grid), strconv.Itoa(s.Laps), Time(s.Time), Gap(s), Time(s.Best), seconds(s.Penalty), count(s.Cuts), count(s.PitStops), s.Status})
		p.Rigs = append(p.Rigs, lapsOf(r.Rigs[i], s.Best))
	}
	if r.Raced {
		p.Charts = chartsOf(r)
	}
	return pageTemplate.Execute(w, p)
}

func count(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func seconds(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%+g", v)
}

func lapsOf(rig race.Rig, best float64) (l laps) {
	l.Driver = printable.Name(rig.Driver)
	for _, lap := range rig.Laps {
		for len(l.Sectors) < len(lap.Sectors) {
			l.Sectors = append(l.Sectors, len(l.Sectors)+1)
		}
	}
	for _, lap := range rig.Laps {
		row := lapRow{Lap: lap.Lap, Time: Time(lap.Time), Best: lap.Valid && lap.Time == best}
		for i := range l.Sectors {
			text := "-"
			if i < len(lap.Sectors) {
				text = Time(lap.Sectors[i])
			}
			row.Sectors = append(row.Sectors, text)
		}
		switch {
		case lap.InPit && !lap.Valid:
			row.Notes = "pit, invalid"
		case lap.InPit:
			row.Notes = "pit"
		case !lap.Valid:
			row.Notes = "invalid"
		}
		l.Laps = append(l.Laps, row)
	}
	for _, p := range rig.Penalties {
		l.Penalties = append(l.Penalties, fmt.Sprintf("%s, %+g s", printable.Line(p.Text), p.Seconds))
	}
	for _, text := range rig.Refused {
		l.Refused = append(l.Refused, printable.Line(text))
	}
	return l
}
