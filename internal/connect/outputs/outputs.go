// Package outputs is the process that tells other programs what a rig does: telemetry and the web page.
//
// It is a child of the rig, of ordinary priority and with memory of its own, so that nothing that a reader does reaches
// the loop. Its inputs are the rig's page, mapped read-only, and its options as JSON. Its only way back is a
// connection over which it may order a stop and lower gains and limits; internal/live/operator decides what it may order.
package outputs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"sync"

	"rig.example/rig/internal/connect/dash"
	"rig.example/rig/internal/connect/telemetry"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/internal/live/operator"
)

// Options say what is sent and served. They are tables of rig.toml.
type Options struct {
	Telemetry telemetry.Config `toml:"telemetry"`
	Web       dash.Config      `toml:"web"`
}

// Section returns the tables of rig.toml.
func Section() config.Section { return config.Section{Tables: &Options{Web: dash.DefaultConfig()}} }

// Of returns what a configuration sends and serves.
func Of(cfg *config.Config) Options { return config.Get[Options](cfg) }

// Validate reports every key that is out of range, and telemetry that is aimed at a port at which this rig itself listens.
func (o *Options) Validate() error {
	var own []netip.Addr
	all, _ := net.InterfaceAddrs() // without them, other spellings of this machine still count
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			own = append(own, p.Addr())
		}
	}
	errs := []error{config.ValidateTable("telemetry", o.Telemetry), config.ValidateTable("web", o.Web)}
	if err := o.Telemetry.CheckLoops(o.Web.Listen, own); err != nil {
		errs = append(errs, valid.WithPrefix("telemetry", err))
	}
	return errors.Join(errs...)
}

// Wanted reports whether there is anything to send or to serve.
func (o *Options) Wanted() bool { return len(o.Telemetry.Outs) > 0 || o.Web.Listen != "" }

// TokenFile returns the path of the file with the token of the web page.
func TokenFile() (string, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("web: %w; set HOME", err)
	}
	return filepath.Join(folder, "rig", "web-token"), nil
}

// Run sends and serves until ctx ends or the rig has ended. It returns why the web page could not be served; the
// telemetry does not end with it.
func Run(ctx context.Context, p *framepage.Page, orders net.Conn, o Options, log *slog.Logger) error {
	scene, ok := p.Scene()
	if !ok {
		return errors.New("outputs: the rig has published no scene")
	}
	var sending sync.WaitGroup
	defer sending.Wait()
	stats := telemetry.NewStats(o.Telemetry)
	sending.Go(func() { telemetry.Run(ctx, p, scene, o.Telemetry, log, stats) })
	if o.Web.Listen == "" {
		return nil
	}
	path, err := TokenFile()
	if err != nil {
		return err
	}
	token, err := dash.Token(path)
	if err != nil {
		return err
	}
	give := orderer(orders)
	return dash.Run(ctx, dash.Options{
		Config: o.Web, Source: p, Scene: scene, Token: token, Log: log, Metrics: stats.WriteMetrics,
		Orders: dash.Orders{
			Stop: func() error { return give(operator.Message{Order: operator.EmergencyStop}) },
			Tune: func(factor string, share float64) error { return give(operator.Message{Factor: factor, Share: share}) },
		},
	})
}

// orderer returns a function that gives orders over conn, one at a time.
func orderer(conn net.Conn) func(operator.Message) error {
	var one sync.Mutex
	return func(m operator.Message) error {
		one.Lock()
		defer one.Unlock()
		return operator.Send(conn, m)
	}
}
