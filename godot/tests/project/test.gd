extends SceneTree
## Checks the extension in Godot itself, beside the answers of the command in expected.json.

var checks := 0
var failures := 0


func check(what: String, holds: bool) -> void:
	checks += 1
	if not holds:
		failures += 1
		printerr("failed: " + what)


func vector(at: Array) -> Vector3:
	return Vector3(at[0], at[1], at[2])


func _initialize() -> void:
	var expected: Dictionary = JSON.parse_string(
			FileAccess.get_file_as_string("res://expected.json"))
	var level: NavbakeLevel = load("res://courtyard.navbake")
	levels(level)
	queries(level.mesh().query(), expected)
	obstacles(level.mesh(), expected)
	office(load("res://office.navbake"))
	world(load("res://world.navw"))
	saves(level, load("res://world.navw"))
	damaged()
	await debug(level)
	print("navbake: %d checks, %d failed" % [checks, failures])
	quit(1 if failures > 0 else 0)


func levels(level: NavbakeLevel) -> void:
	check("a level is loaded by its ending", level != null and level.error == "")
	check("the agents are those of the file", level.agents() == PackedStringArray(["default"]))
	check("a loaded level is cached", load("res://courtyard.navbake") == level)
	check("an unknown agent has no mesh", level.mesh("dragon") == null)
	check("a level is saved", ResourceSaver.save(level, "user://level.tres") == OK)
	var saved: NavbakeLevel = ResourceLoader.load("user://level.tres", "", 0)
	check("a saved level is the same", saved.bytes == level.bytes and saved.mesh() != null)
	var request := ResourceLoader.load_threaded_request("res://office.navbake")
	var office: NavbakeLevel = ResourceLoader.load_threaded_get("res://office.navbake")
	check("a thread loads a level", request == OK and office.switches().size() == 7)


func queries(query: NavbakeQuery, expected: Dictionary) -> void:
	var from := vector(expected.from)
	var to := vector(expected.to)
	query.planner = NavbakeQuery.OPTIMAL
	var path := query.find_path(from, to)
	check("a path is reached", path.status == NavbakePath.REACHED and path.optimal)
	check("its length is the command's", is_equal_approx(path.length, expected.path.length_xz))
	check("its points are as many", path.points.size() == expected.path.points.size())
	for k in path.points.size():
		var point := vector(expected.path.points[k])
		check("point %d" % k, path.points[k].is_equal_approx(point))
	var ray := query.raycast(from, Vector3(to.x, from.y, to.z))
	check("a ray hits a wall", ray.hit)
	check("where the command says", ray.position.is_equal_approx(vector(expected.ray.point)))
	check("its normal", ray.normal.is_equal_approx(vector(expected.ray.normal)))
	var wall := query.wall_distance(from, 10.0)
	check("the distance to a wall", is_equal_approx(wall, expected.wall.distance))
	check("a near place", query.nearest(from + Vector3.UP) == from)
	check("a motion", query.move_along(from, from + Vector3(0.5, 0, 0)) == from + Vector3(0.5, 0, 0))
	check("reachable", query.reachable(from, to))
	query.seed(7)
	var place: Vector3 = query.random_place()
	query.seed(7)
	check("random places", query.random_place() == place)
	var off := Vector3(900, 0, 900)
	check("off the ground: a path", query.find_path(off, to).status == NavbakePath.OFF_MESH)
	check("off the ground: a place", query.nearest(off) == null)
	check("off the ground: a ray", query.raycast(off, to).is_empty())
	check("off the ground: a wall", query.wall_distance(off, 1.0) == -1.0)


func obstacles(mesh: NavbakeMesh, expected: Dictionary) -> void:
	var query := mesh.query()
	query.planner = NavbakeQuery.OPTIMAL
	var from := vector(expected.free[0])
	var to := vector(expected.free[1])
	var free := query.find_path(from, to).length
	var barrel := CylinderShape3D.new()
	barrel.radius = 0.4
	var middle := Transform3D(Basis.IDENTITY, (from + to) / 2)
	var number := mesh.add_obstacle(barrel, middle)
	check("an obstacle", number >= 0 and mesh.commit() == 0)
	check("is in the way", query.find_path(from, to).length > free)
	check("is moved", mesh.move_obstacle(number, BoxShape3D.new(), Transform3D.IDENTITY) == OK)
	mesh.commit()
	check("out of the way", query.find_path(from, to).length == free)
	check("is removed", mesh.remove_obstacle(number) == OK)
	check("and is gone", mesh.remove_obstacle(number) == ERR_INVALID_PARAMETER)
	check("a shape that is none", mesh.add_obstacle(SeparationRayShape3D.new(), middle) == -1)


func office(level: NavbakeLevel) -> void:
	var query := level.mesh().query()
	query.planner = NavbakeQuery.OPTIMAL
	var from := Vector3(2.5, 0, 11.5)
	var to := Vector3(13.5, 0, 11.5)
	var closed := query.find_path(from, to).length
	check("a switch", query.set_closed("g", false) == OK)
	check("is open", query.find_path(from, to).length < closed)
	check("no such switch", query.set_closed("portcullis", true) == ERR_INVALID_PARAMETER)
	check("costs", query.set_cost("ground", 3.0) == OK)
	var refused := query.find_path(from, to)
	check("are refused", refused.status == NavbakePath.REFUSED and refused.error != "")
	query.planner = NavbakeQuery.WEIGHTED
	check("or served", query.find_path(from, to).status == NavbakePath.REACHED)


func world(index: NavbakeLevel) -> void:
	var files := {}
	for chunk in index.chunks():
		files[chunk.key] = "res://world.chunks/" + chunk.name
		check("the bounds of a chunk", chunk.bounds.size.x > 1.0 and chunk.bytes > 0)
	check("an index lists its chunks", files.size() == 4 and files.has(Vector2i(1, 1)))
	var mesh := index.mesh()
	var query := mesh.query()
	var from := Vector3(2, 0, 2)
	var to := Vector3(30, 0, 25)
	check("nothing is loaded", query.find_path(from, to).status == NavbakePath.NOT_LOADED)
	var first: NavbakeLevel = load(files[Vector2i(0, 0)])
	check("a chunk", mesh.insert_chunk(first) == OK and mesh.commit() == 0)
	check("is loaded", mesh.is_loaded(Vector2i(0, 0)))
	check("only once", mesh.insert_chunk(first) == ERR_INVALID_PARAMETER)
	check("a level that is no chunk", mesh.insert_chunk(index) == ERR_INVALID_PARAMETER)
	check("its ground goes on", mesh.not_loaded(from).has(Vector2i(1, 0)))
	var route := query.find_route(from, to)
	check("a route", route.status == NavbakePath.REACHED and route.length > 30.0)
	check("into the last chunk", route.passages[-1].into == Vector2i(1, 1))
	for key in files:
		if not mesh.is_loaded(key):
			check("another chunk", mesh.insert_chunk(load(files[key])) == OK)
	mesh.commit()
	check("all are loaded", query.find_path(from, to).status == NavbakePath.REACHED)
	check("a chunk goes", mesh.remove_chunk(Vector2i(1, 1)) == OK and mesh.commit() == 0)
	check("and is gone", query.find_path(from, to).status == NavbakePath.NOT_LOADED)
	check("not twice", mesh.remove_chunk(Vector2i(1, 1)) == ERR_INVALID_PARAMETER)


func saves(level: NavbakeLevel, index: NavbakeLevel) -> void:
	var mesh := level.mesh()
	var query := mesh.query()
	query.planner = NavbakeQuery.OPTIMAL
	var barrel := CylinderShape3D.new()
	var at := Transform3D(Basis.IDENTITY, Vector3(4, 0.5, 20))
	var number := mesh.add_obstacle(barrel, at)
	mesh.commit()
	var around := query.find_path(Vector3(2, 0, 20), Vector3(6, 0, 20)).length
	var saved := mesh.save()
	check("a save needs no chunks", NavbakeMesh.saved_chunks(saved).is_empty())
	mesh.remove_obstacle(number)
	mesh.commit()
	check("the way is free", query.find_path(Vector3(2, 0, 20), Vector3(6, 0, 20)).length < around)
	check("a mesh is restored", mesh.restore(saved, []) == OK and mesh.save() == saved)
	check("and its queries see it",
			query.find_path(Vector3(2, 0, 20), Vector3(6, 0, 20)).length == around)
	check("a number stays", mesh.remove_obstacle(number) == OK)
	var cut := saved.slice(0, saved.size() - 1)
	check("a cut save", mesh.restore(cut, []) == ERR_INVALID_PARAMETER)
	check("a save of another level", index.mesh().restore(saved, []) == ERR_INVALID_PARAMETER)
	var files := {}
	for chunk in index.chunks():
		files[chunk.key] = load("res://world.chunks/" + chunk.name)
	var world := index.mesh()
	world.insert_chunk(files[Vector2i(0, 0)])
	world.commit()
	var of_world := world.save()
	var keys := NavbakeMesh.saved_chunks(of_world)
	check("the chunks of a save", keys.size() == 1 and keys[0] == Vector2i(0, 0))
	var again := index.mesh()
	check("without its chunks", again.restore(of_world, []) == ERR_INVALID_PARAMETER)
	check("with no level", again.restore(of_world, [null]) == ERR_INVALID_PARAMETER)
	check("with another level", again.restore(of_world, [level]) == ERR_INVALID_PARAMETER)
	var own := keys.map(func(key): return files[key])
	check("with its chunks", again.restore(of_world, own) == OK and again.save() == of_world)
	var typed: Array[NavbakeLevel] = [files[Vector2i(0, 0)]]
	check("in a typed array", again.restore(of_world, typed) == OK)
	check("it is loaded", again.is_loaded(Vector2i(0, 0)))


func damaged() -> void:
	check("a damaged file is no level", load("res://damaged.navbake") == null)
	check("a missing file is no level", load("res://missing.navbake") == null)
	var level := NavbakeLevel.new()
	level.bytes = PackedByteArray([1, 2, 3])
	check("damaged bytes are an error", level.error != "" and level.mesh() == null)


func debug(level: NavbakeLevel) -> void:
	var node := NavbakeDebug3D.new()
	node.level = level
	root.add_child(node)
	await process_frame
	var whole := node.get_aabb()
	check("a level is drawn", whole.size.x > 1.0 and whole.size.z > 1.0)
	node.parts = 0
	check("nothing is drawn", node.get_aabb().size == Vector3.ZERO)
	node.parts = 15
	node.draw_mesh(level.mesh())
	check("a mesh is drawn", node.get_aabb() == whole)
	node.free()
