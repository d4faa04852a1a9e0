package main

import "slices"

// all returns every mutant.
func all() []mutant {
	return slices.Concat(wheelMutants, pedalMutants, motionMutants, estopMutants, guardMutants, rigMutants, senseMutants, actMutants, feelMutants, cueingMutants, simMutants, kernelMutants, roadMutants, fileMutants, strangerMutants)
}
