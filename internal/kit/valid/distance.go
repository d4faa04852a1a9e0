package valid

// EditDistance returns the Levenshtein distance: the smallest number of edits that turn a into b, each of which
// changes, adds or deletes one byte. Callers use it to suggest the known word that a wrong one is probably meant
// to be.
func EditDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
