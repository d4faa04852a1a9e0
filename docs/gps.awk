# Makes a track of one lap of a GPS log: awk -f gps.awk lap.gpx (tracks.md says how to go on).
#
# In: GPX, or lines of latitude,longitude in degrees. Out: the mesh road.obj, of road, verge and land, and the center line
# line.csv, in metres east and north of the first point. Set by -v width=9, before -f: width of the road, verge (width on
# either side), every (distance between points), smooth (length of the mean that is taken three times); all in metres.

BEGIN {
	FS = "[,;]"
	if (!width) width = 10
	if (verge == "") verge = 12
	if (!every) every = 2
	if (!smooth) smooth = 14
}

/<trkpt/ {
	for (rest = $0; match(rest, /<trkpt[^>]*>/);) {
		tag = substr(rest, RSTART, RLENGTH)
		rest = substr(rest, RSTART + RLENGTH)
		take(attribute(tag, "lat"), attribute(tag, "lon"))
	}
}
/^[-+0-9]/ { take($1, $2) }

function attribute(tag, name) {
	sub(".*" name "=.", "", tag)
	return tag + 0
}

# take adds a point, unless it is less than 1 m from the one before.
function take(lat, lon,   r) {
	if (!n) {
		lat0 = lat; lon0 = lon; r = lat * atan2(0, -1) / 180
		north = 111132.95 - 559.85*cos(2*r); east = 111412.88*cos(r) - 93.5*cos(3*r) # metres a degree
	}
	X[n] = east * (lon - lon0); Y[n] = north * (lat - lat0)
	if (!n || (X[n]-X[n-1])^2 + (Y[n]-Y[n-1])^2 > 1) n++
}

# mean replaces each of the m values of a by the mean over the length smooth around it.
function mean(a,   b, h, i, j) {
	h = int(smooth / every / 2)
	for (i = 0; i < m; i++)
		for (j = -h; j <= h; j++) b[i] += a[(i+j+h*m) % m] / (2*h + 1)
	for (i = 0; i < m; i++) a[i] = b[i]
}

# edge returns the distance of the verge's edge from the line on the inside of a bend of curvature turn.
function edge(turn,   l) {
	l = width/2 + verge
	return turn*l > 0.7 ? 0.7/turn : l
}

END {
	if (n < 4) { print "gps.awk: fewer than 4 points, 1 m apart" > "/dev/stderr"; exit 1 }
	X[n] = X[0]; Y[n] = Y[0]; k = 1
	for (i = 1; i <= n; i++) S[i] = S[i-1] + sqrt((X[i]-X[i-1])^2 + (Y[i]-Y[i-1])^2)
	m = int(S[n] / every)
	for (i = 0; i < m; i++) {
		s = i * S[n] / m
		while (S[k] < s) k++
		f = (s - S[k-1]) / (S[k] - S[k-1])
		x[i] = X[k-1] + f*(X[k]-X[k-1]); y[i] = Y[k-1] + f*(Y[k]-Y[k-1])
	}
	for (i = 0; i < 3; i++) { mean(x); mean(y) }

	print "x,y,left,right" > "line.csv"
	for (i = 0; i < m; i++) {
		a = (i+m-1) % m; b = (i+1) % m
		u = x[b]-x[a]; v = y[b]-y[a]; d = sqrt(u*u + v*v)
		turn = 8 * ((x[i]-x[a])*(y[b]-y[i]) - (y[i]-y[a])*(x[b]-x[i])) / d^3
		printf "%.3f,%.3f,%g,%g\n", x[i], y[i], width/2, width/2 > "line.csv"
		c[1] = edge(turn); c[2] = width/2; c[3] = -width/2; c[4] = -edge(-turn)
		for (k = 1; k < 5; k++) printf "v %.3f %.3f 0\n", x[i] - c[k]*v/d, y[i] + c[k]*u/d > "road.obj"
		if (x[i]^2 > q) q = x[i]^2
		if (y[i]^2 > q) q = y[i]^2
	}
	for (k = 1; k < 4; k++) {
		print "usemtl " (k == 2 ? "road" : "verge") > "road.obj"
		for (i = 0; i < m; i++) {
			a = 4*i + k; b = 4*((i+1) % m) + k
			print "f", a, a+1, b+1, b > "road.obj"
		}
	}
	q = sqrt(q) + 200; z = -0.05 # the land, a square
	printf "v %g %g %g\nv %g %g %g\nv %g %g %g\nv %g %g %g\nusemtl land\nf -4 -3 -2 -1\n", -q, -q, z, q, -q, z, q, q, z, -q, q, z > "road.obj"
}
