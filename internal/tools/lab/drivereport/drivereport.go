// Package drivereport writes a drive, or two drives to compare, as one HTML page: laps, events and plots with a common
// cursor. The input is a drivelog.Log; the output is a file that needs nothing else, neither a network nor a library.
//
// Text of the log is not trusted: html/template escapes it, and the page forbids itself to load anything.
package drivereport

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"

	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/reportstyle"
	"rig.example/rig/internal/kit/valid"
)

// Report is what a page shows.
type Report struct {
	Drives   []*drivelog.Log // one, or two to compare
	Titles   []string        // of the drives, such as their files; car and circuit where missing
	Lateness []loop.Bin      // lateness of the loop; if empty it is counted from the first drive's channel
	Notes    []string        // remarks for the head of the page
}

var (
	//go:embed page.html
	layout string
	//go:embed page.css
	style template.CSS
	//go:embed views.js
	views template.JS
	//go:embed draw.js
	drawing template.JS
	//go:embed page.js
	controls template.JS

	pageTemplate = template.Must(template.New("page").Parse(layout))
)

// page is what the template reads.
type page struct {
	Title string
	Style template.CSS
	Code  template.JS
	Notes []string
	Heads []head
	Data  data
	Limit int // of samples per channel
}

// Write writes the page.
func Write(w io.Writer, r Report) error {
	if err := r.validate(); err != nil {
		return err
	}
	drives := []*drivelog.Log{}
	for _, log := range r.Drives {
		drives = append(drives, timed(log))
	}
	r.Drives = drives
	p := page{Style: reportstyle.CSS + style, Code: views + drawing + controls, Data: dataOf(r), Limit: maxSamples}
	for i, log := range r.Drives {
		p.Heads = append(p.Heads, headOf(log, r.title(i), len(r.Drives) > 1))
	}
	for _, note := range r.Notes {
		p.Notes = append(p.Notes, printable.Line(note))
	}
	p.Title = p.Heads[0].Title
	if len(p.Heads) > 1 {
		p.Title += " and " + p.Heads[1].Title
	}
	return pageTemplate.Execute(w, p)
}

// timed returns a log without the laps and events whose time is unknown, and with printable texts. JSON has no NaN.
func timed(log *drivelog.Log) *drivelog.Log {
	clean := *log
	clean.Laps, clean.Events = []drivelog.Lap{}, []drivelog.Event{}
	for _, l := range log.Laps {
		if slices.ContainsFunc(l.Splits, func(t float64) bool { return !valid.Finite(t) }) {
			l.Splits = nil
		}
		if valid.Finite(l.Start) && valid.Finite(l.Time) {
			clean.Laps = append(clean.Laps, l)
		}
	}
	for _, e := range log.Events {
		if valid.Finite(e.Time) {
			e.Kind, e.Text = drivelog.Kind(printable.Name(string(e.Kind))), printable.Line(e.Text)
			clean.Events = append(clean.Events, e)
		}
	}
	return &clean
}

func (r Report) validate() error {
	if len(r.Drives) < 1 || len(r.Drives) > 2 {
		return fmt.Errorf("drivereport: %d drives: must be 1 or 2", len(r.Drives))
	}
	for i, log := range r.Drives {
		if err := validate(log); err != nil {
			return fmt.Errorf("drivereport: drive %d: %w", i+1, err)
		}
	}
	return nil
}

func validate(log *drivelog.Log) error {
	switch {
	case log.Len() == 0:
		return errors.New("it has no samples")
	case !valid.Finite(log.Rate) || log.Rate <= 0:
		return fmt.Errorf("%g samples per second: must be above 0", log.Rate)
	case !valid.Finite(log.Start):
		return errors.New("its first sample has no time")
	}
	for _, c := range log.Channels {
		if len(c.Values) != log.Len() {
			return fmt.Errorf("channel %s has %d samples: must be %d, as the first", printable.Name(c.Name), len(c.Values), log.Len())
		}
	}
	return nil
}

// title returns the title of a drive.
func (r Report) title(i int) string {
	if i < len(r.Titles) && r.Titles[i] != "" {
		return printable.Name(r.Titles[i])
	}
	return printable.Name(r.Drives[i].Car) + ", " + printable.Name(r.Drives[i].Track)
}

// clock formats a time [s] as minutes and seconds.
func clock(t float64, decimals int) string {
	unit := math.Pow10(decimals)
	ticks := math.Round(math.Abs(t) * unit) // rounded first, so that no minute has 60 seconds
	minutes := math.Floor(ticks / (60 * unit))
	number := fmt.Sprintf("%.0f:%0*.*f", minutes, decimals+3, decimals, ticks/unit-60*minutes)
	if t < 0 && ticks > 0 {
		return "−" + number
	}
	return number
}
