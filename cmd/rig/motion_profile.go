package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/tunings"
	"rig.example/rig/internal/kit/userfile"
)

type motionProfileCmd struct {
	Save motionProfileSaveCmd `cmd:"" help:"Save the motion's tuning: that of the running rig, or else of the configuration."`
	Use  motionProfileUseCmd  `cmd:"" help:"Use a saved tuning for a car, or for all cars."`
	List motionProfileListCmd `cmd:"" help:"List saved tunings, and which cars use them."`
}

// profileFlags are common to the commands of saved tunings.
type profileFlags struct {
	Config string `type:"path" placeholder:"F" help:"Read this configuration file. It names the folder of profiles."`
}

type motionProfileSaveCmd struct {
	profileFlags
	Name       string `arg:"" help:"Name: letters, digits, - and _."`
	PageSocket string `name:"page" hidden:"" default:"" help:"Read the tuning of the rig at this socket."`
}

type motionProfileUseCmd struct {
	profileFlags
	Name string `arg:"" help:"Name of a saved tuning, or none."`
	Car  string `placeholder:"NAME" help:"Use it for this car alone. Default: for all cars without one of their own."`
}

type motionProfileListCmd struct {
	profileFlags
	JSON bool `name:"json" help:"Print one JSON object."`
}

// store returns the store of saved tunings, and the configuration that names it.
func (c *profileFlags) store(s *streams) (tunings.Store, config.Config, error) {
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return tunings.Store{}, cfg, err
	}
	store, err := tunings.StoreOf(cfg)
	return store, cfg, err
}

func (c *motionProfileSaveCmd) Run(s *streams) error {
	if err := wrongUsage(tunings.CheckName(c.Name)); err != nil {
		return err
	}
	store, cfg, err := c.store(s)
	if err != nil {
		return err
	}
	tuning, from := cfg.Tuning, "the configuration"
	if running, ok := runningTuning(c.PageSocket); ok {
		tuning, from = running, "the running rig"
	}
	path, err := store.Save(c.Name, tuning)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "saved the tuning of %s: %s\n", from, path)
	return err
}

// runningTuning returns the tuning of the running rig, or false if there is none.
func runningTuning(path string) (config.Tuning, bool) {
	p, err := framepage.Open(path)
	if err != nil {
		return config.Tuning{}, false
	}
	defer p.Close()
	var f frame.Frame
	if !p.Read(&f) {
		return config.Tuning{}, false
	}
	var t cueing.Tuning
	for i, factor := range drive.Factors(&t) {
		*factor = f.Motion.Tuning[i]
	}
	return config.Tuning(t), true
}

func (c *motionProfileUseCmd) Run(s *streams) error {
	store, _, err := c.store(s)
	if err != nil {
		return err
	}
	name, car := c.Name, "all cars without one of their own"
	if name == "none" {
		name = ""
	}
	if c.Car != "" {
		car = userfile.BaseName(c.Car)
	}
	if err := store.Use(tuningCar(c.Car), name); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s: %s, from the next drive on\n", car, c.Name)
	return err
}

// tuningCar returns the car's name in the store; "" stands for all.
func tuningCar(car string) string {
	if car == "" {
		return ""
	}
	return userfile.BaseName(car)
}

// savedTuning is a saved tuning with the cars that use it.
type savedTuning struct {
	Name    string   `json:"name"`
	Cars    []string `json:"cars"` // that use it; "" stands for all without one of their own
	Factors []string `json:"factors"`
}

func (c *motionProfileListCmd) Run(s *streams) error {
	store, _, err := c.store(s)
	if err != nil {
		return err
	}
	names, err := store.Names()
	if err != nil {
		return err
	}
	uses, err := store.Uses()
	if err != nil {
		return err
	}
	list := []savedTuning{}
	for _, name := range names {
		tuning, err := store.Load(name)
		if err != nil {
			return err
		}
		x := savedTuning{Name: name, Cars: []string{}, Factors: tunings.Lines(cueing.Tuning(tuning), cueing.UnitTuning())}
		for _, u := range uses {
			if u.Tuning == name {
				x.Cars = append(x.Cars, u.Car)
			}
		}
		list = append(list, x)
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(list)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(s.out, "no saved tunings; rig motion profile save NAME makes one")
		return err
	}
	for _, x := range list {
		if _, err := fmt.Fprintln(s.out, x.line()); err != nil {
			return err
		}
	}
	return nil
}

// line returns a line for people.
func (x *savedTuning) line() string {
	text := x.Name
	for _, car := range x.Cars {
		if car == "" {
			car = "all other cars"
		}
		text += " [" + car + "]"
	}
	if len(x.Factors) > 1 {
		text += ": " + strings.Join(x.Factors[1:], ", ")
	}
	return text
}

// applyTuning applies the saved tuning that the configuration's car uses, and logs it.
func (s *streams) applyTuning(cfg *config.Config) error {
	name, err := tunings.Apply(cfg)
	if err == nil && name != "" {
		s.log.Info("motion tuned by the profile "+name, "car", userfile.BaseName(cfg.Car))
	}
	return err
}
