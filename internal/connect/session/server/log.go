//go:build !noserver

package server

import (
	"errors"
	"fmt"
	"log/slog"

	"rig.example/rig/internal/kit/printable"
)

// logger writes the log of NATS into that of the program. What clients send may be in it.
type logger struct {
	log   *slog.Logger
	fatal chan<- error // the first error after which it does not go on
}

func line(format string, v []any) string { return "bus: " + printable.Line(fmt.Sprintf(format, v...)) }

func (l logger) Noticef(format string, v ...any) { l.log.Debug(line(format, v)) }
func (l logger) Warnf(format string, v ...any)   { l.log.Warn(line(format, v)) }
func (l logger) Errorf(format string, v ...any)  { l.log.Warn(line(format, v)) }
func (l logger) Debugf(format string, v ...any)  {}
func (l logger) Tracef(format string, v ...any)  {}

func (l logger) Fatalf(format string, v ...any) {
	select {
	case l.fatal <- errors.New(line(format, v)):
	default: // only the first counts
	}
}
