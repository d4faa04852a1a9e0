package main

import "slices"

// all returns every mutant of the list.
func all() []mutant {
	return slices.Concat(wheelMutants, pedalMutants, motionMutants, estopMutants, guardMutants, orderMutants, followMutants, outputMutants, displayMutants, sessionViewMutants, sessionMutants, raceMutants, rigMutants, tickInputMutants, tickOrderMutants, tickOutputMutants, forceMutants, cueingMutants, simMutants, balanceMutants, inputMutants, roadMutants, fileMutants, untrustedMutants, recordingMutants, soundMutants, busMutants, networkMutants, sweepMutants)
}
