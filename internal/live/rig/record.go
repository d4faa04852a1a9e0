package rig

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/kit/rt"
	"rig.example/rig/internal/kit/userfile"
)

// blackBoxBytes is the memory of the black box: 120 s of a wild drive take half of it.
const blackBoxBytes = 48 << 20

// startRecorder sets up the recording of a drive: a file if one is wanted, and the black box. Only a file that the user
// asked for must be there.
func (r *Rig) startRecorder(o Options) error {
	cfg := o.Config.Record
	wanted := o.Record || cfg.Always
	if !wanted && cfg.BlackBoxes == 0 {
		return nil
	}
	err := r.newRecorder(o, wanted)
	if err != nil && !o.Record {
		o.Log.Warn("drive is not recorded", "error", err)
		return nil
	}
	return err
}

func (r *Rig) newRecorder(o Options, wanted bool) error {
	cfg, began := o.Config.Record, time.Now()
	folder := cfg.Folder
	if folder == "" {
		var err error
		if folder, err = recording.DefaultFolder(os.Getenv, os.Geteuid()); err != nil {
			return err
		}
	}
	var forces *drivesetup.Forces
	if r.presets != nil {
		forces = r.presets.forces
	}
	h, err := replay.Header(o.Config, r.drive, r.trackFiles, forces, r.drive.Model() != nil, began)
	if err != nil {
		return err
	}
	if h.Profiles, err = profileTexts(o.Config); err != nil {
		return err
	}
	options := recording.Options{
		FreeGB: cfg.FreeGB, BlackBoxBytes: blackBoxBytes, KeepBlackBoxes: cfg.BlackBoxes,
		Cause:  causeText,
		Notify: func(text string) { o.Log.Info(text) },
	}
	if cfg.BlackBoxes > 0 {
		options.BlackBoxFolder = folder
	}
	if wanted {
		if options.File = o.RecordFile; options.File == "" {
			options.File = filepath.Join(folder, recording.FileName(began, h.CarName, h.Track))
			r.makeRoom(o, folder)
		}
	}
	if r.recorder, err = recording.New(h, channels.All(), r.drive, options); err == nil && wanted {
		o.Log.Info("recording", "path", options.File)
	}
	return err
}

// profileTexts returns the calibration profiles that there are. A replay does not need them: they are for people.
func profileTexts(cfg config.Config) (map[string]string, error) {
	store, err := cfg.ProfileStore()
	if err != nil {
		return nil, nil // without a folder there are none
	}
	paths, err := filepath.Glob(filepath.Join(store.Dir, "*.toml"))
	texts := map[string]string{}
	for _, path := range paths {
		text, err := userfile.Read(path, userfile.MaxText)
		if err != nil {
			return nil, fmt.Errorf("profile %s: %w", path, err)
		}
		texts[filepath.Base(path)] = string(text)
	}
	return texts, err
}

// pack packs the recorded ticks on a thread of ordinary priority, which ends with it: packing takes milliseconds, and
// among threads of the background's priority it would keep those waiting that the loop needs (rt.BackgroundPriority).
func (r *Rig) pack(ctx context.Context) {
	runtime.LockOSThread()
	rt.DropPriority()
	r.recorder.Run(ctx)
}

// makeRoom deletes old recordings beyond record.keep_gb.
func (r *Rig) makeRoom(o Options, folder string) {
	const gigabyte = 1e9
	if o.Config.Record.KeepGB == 0 {
		return
	}
	deleted, err := recording.Prune(folder, int64(o.Config.Record.KeepGB*gigabyte))
	if err != nil {
		o.Log.Warn("old recordings", "error", err)
	}
	if len(deleted) > 0 {
		o.Log.Info(fmt.Sprintf("%d old recordings deleted: record.keep_gb", len(deleted)))
	}
}

// endRecording ends the recording of a drive that ended with an error or without one.
func (r *Rig) endRecording(o Options, failure error) error {
	if r.recorder == nil {
		return nil
	}
	reason := ""
	if failure != nil {
		reason = "error"
	}
	err := r.recorder.Close(&r.drive.State, reason)
	if n := r.recorder.Missing(); n > 0 && err == nil {
		err = fmt.Errorf("recording: %d ticks are missing: the recorder was held up", n)
	}
	if err != nil && !o.Record { // nobody asked for this drive's
		o.Log.Warn("drive is not recorded whole", "error", err)
		return nil
	}
	return err
}

// recordPanic writes the black box if the loop panics, which ends the program.
func (r *Rig) recordPanic() {
	bad := recover()
	if bad == nil {
		return
	}
	r.wheel.Push(0)
	if r.recorder != nil {
		_ = r.recorder.Close(nil, "panic") // the panic says more
	}
	panic(bad)
}
