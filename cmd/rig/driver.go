package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivers"
	"rig.example/rig/internal/kit/printable"
)

type driverCmd struct {
	List   driverListCmd   `cmd:"" help:"List the drivers, and who drives when nobody is named."`
	Show   driverShowCmd   `cmd:"" help:"Print a driver's profile, what was chosen in the window, and the records."`
	New    driverNewCmd    `cmd:"" help:"Make a driver of what the configuration sets and what was chosen in the window."`
	Use    driverUseCmd    `cmd:"" help:"Let a driver drive when nobody is named, or none."`
	Delete driverDeleteCmd `cmd:"" help:"Delete a driver. Keep copies of the files."`
}

// driverFlags are common to the commands of drivers.
type driverFlags struct {
	Config string `type:"path" placeholder:"F" help:"Read this configuration file. It names the folder of profiles."`
}

type driverListCmd struct {
	driverFlags
	JSON bool `name:"json" help:"Print one JSON object."`
}

type driverShowCmd struct {
	driverFlags
	Name string `arg:"" help:"Name of a driver."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

type driverNewCmd struct {
	driverFlags
	Name string `arg:"" help:"Name: letters, digits, - and _, up to 40."`
}

type driverUseCmd struct {
	driverFlags
	Name string `arg:"" help:"Name of a driver, or none."`
}

type driverDeleteCmd struct {
	driverFlags
	Name string `arg:"" help:"Name of a driver."`
}

// store returns the store of drivers, and the configuration that names it. It checks a name, unless that is empty.
func (c *driverFlags) store(s *streams, name string) (store drivers.Store, cfg config.Config, err error) {
	if name != "" {
		if err := wrongUsage(config.CheckDriverName(name)); err != nil {
			return store, cfg, err
		}
	}
	if cfg, _, err = s.configuration(c.Config); err == nil {
		store, err = drivers.StoreOf(cfg)
	}
	return store, cfg, err
}

// listedDriver is a driver as `rig driver list` prints it.
type listedDriver struct {
	Name    string `json:"name"`
	Drives  bool   `json:"drives"`  // when nobody is named
	Records int    `json:"records"` // cars and circuits with a record
	Problem string `json:"problem,omitempty"`
}

func (c *driverListCmd) Run(s *streams) error {
	store, cfg, err := c.store(s, "")
	if err != nil {
		return err
	}
	names, err := store.Names()
	if err != nil {
		return err
	}
	used, err := store.InUse()
	if err != nil {
		return err
	}
	if used == "" {
		used = cfg.Driver
	}
	list := []listedDriver{}
	for _, name := range names {
		d := listedDriver{Name: name, Drives: name == used}
		records, err := store.Records(name)
		if d.Records = len(records); err != nil {
			d.Problem = oneLine(err)
		}
		list = append(list, d)
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(list)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(s.out, "no drivers; rig driver new NAME makes one")
		return err
	}
	for _, d := range list {
		text := fmt.Sprintf("%s: records: %d", d.Name, d.Records)
		if d.Drives {
			text += ", drives when nobody is named"
		}
		if d.Problem != "" {
			text += "; " + d.Problem
		}
		if _, err := fmt.Fprintln(s.out, text); err != nil {
			return err
		}
	}
	return nil
}

// shownDriver is a driver as `rig driver show --json` prints it.
type shownDriver struct {
	Name    string           `json:"name"`
	Profile string           `json:"profile"` // path
	Text    string           `json:"text"`    // of the profile
	Window  string           `json:"window"`  // text of what was chosen in the window
	Records []drivers.Record `json:"records"`
}

func (c *driverShowCmd) Run(s *streams) error {
	store, cfg, err := c.store(s, c.Name)
	if err != nil {
		return err
	}
	text, err := store.Text(c.Name)
	if err != nil {
		return err
	}
	d := shownDriver{Name: c.Name, Profile: store.Profile(c.Name), Text: string(text), Records: []drivers.Record{}}
	if window, err := os.ReadFile(store.Window(c.Name)); err == nil {
		d.Window = string(window)
	}
	records, err := store.Records(c.Name)
	if err != nil {
		return err
	}
	d.Records = append(d.Records, records...)
	if c.JSON {
		err = json.NewEncoder(s.out).Encode(d)
	} else {
		err = d.print(s.out)
	}
	if err != nil {
		return err
	}
	return drivers.Apply(&cfg, c.Name) // says what is wrong with the profile
}

func (d *shownDriver) print(w io.Writer) error {
	fmt.Fprintf(w, "# %s\n%s", printable.Line(d.Profile), printable.Text(d.Text))
	if d.Window != "" {
		fmt.Fprintf(w, "\n# chosen in the window\n%s", printable.Text(d.Window))
	}
	fmt.Fprint(w, "\n# records\n")
	if len(d.Records) == 0 {
		_, err := fmt.Fprintln(w, "none yet")
		return err
	}
	for i := range d.Records {
		r := &d.Records[i]
		if _, err := io.WriteString(w, printable.Sprintf("%s on %s: %s\n", r.Car, r.Track, r.LapText())); err != nil {
			return err
		}
	}
	return nil
}

func (c *driverNewCmd) Run(s *streams) error {
	store, cfg, err := c.store(s, c.Name)
	if err != nil {
		return err
	}
	path, kept, err := store.New(c.Name, cfg)
	if err != nil {
		return err
	}
	if kept != "" {
		fmt.Fprintf(s.out, "files of an earlier %s were left; they are now in %s\n", c.Name, printable.Name(kept))
	}
	_, err = fmt.Fprintf(s.out, "made %s: %s\nto drive: rig run --driver %s, or rig driver use %s for all drives\n", c.Name, printable.Name(path), c.Name, c.Name)
	return err
}

func (c *driverUseCmd) Run(s *streams) error {
	checked := c.Name
	if checked == config.NoDriver {
		checked = ""
	}
	store, cfg, err := c.store(s, checked)
	if err != nil {
		return err
	}
	if checked != "" {
		if err := drivers.Apply(&cfg, c.Name); err != nil {
			return err
		}
	}
	if err := store.Use(c.Name); err != nil {
		return err
	}
	text := c.Name + " drives when nobody is named, from the next drive on"
	if checked == "" {
		text = "nobody in particular drives when nobody is named"
		if cfg.Driver != "" {
			text = cfg.Driver + " drives when nobody is named, as the configuration says"
		}
	}
	_, err = fmt.Fprintln(s.out, text)
	return err
}

func (c *driverDeleteCmd) Run(s *streams) error {
	store, _, err := c.store(s, c.Name)
	if err != nil {
		return err
	}
	kept, err := store.Delete(c.Name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "deleted %s; copies of the files: %s\n", c.Name, printable.Name(kept))
	return err
}

// driver applies the profile of who drives to the configuration and says who that is. It returns nil if nobody in
// particular drives.
func (s *streams) driver(cfg *config.Config, flag string, records bool) (*drivers.Session, error) {
	if flag != "" && flag != config.NoDriver {
		if err := wrongUsage(config.CheckDriverName(flag)); err != nil {
			return nil, err
		}
	}
	if err := drivers.UseProblem(*cfg, flag); err != nil {
		s.log.Warn("driver", "error", err)
	}
	if err := drivers.Apply(cfg, flag); err != nil {
		return nil, err
	}
	session, err := drivers.NewSession(*cfg, records)
	if err != nil {
		s.log.Warn("records are not kept", "error", err)
	}
	if session != nil {
		s.log.Info(cfg.Driver + " drives")
	}
	return session, nil
}
