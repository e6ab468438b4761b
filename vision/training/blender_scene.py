"""Runs inside Blender (3.4 or later): renders the scenes whose files are named on standard input, see studio.py."""

import json
import math
import sys

import bpy
from mathutils import Matrix, Vector

SAMPLES = 14
LAMP_AWAY = 14.0  # squares


def start():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.compression = 0
    scene.view_settings.view_transform = "Standard"
    cycles = scene.cycles
    cycles.samples, cycles.use_denoising, cycles.use_adaptive_sampling = SAMPLES, False, False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 2, 2
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.sample_clamp_direct = 2.0, 6.0
    scene.world = bpy.data.worlds.new("room")
    scene.world.use_nodes = True
    return scene


def clear():
    for stock in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.lights, bpy.data.cameras):
        for thing in list(stock):
            stock.remove(thing)


def linear(value):
    """From how screens store a tone to how light adds up."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def material(told):
    made = bpy.data.materials.new("paint")
    made.use_nodes = True
    surface = made.node_tree.nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = told["rough"]
    surface.inputs["Specular" if "Specular" in surface.inputs else "Specular IOR Level"].default_value = told["gloss"]
    if "texture" in told:
        picture = made.node_tree.nodes.new("ShaderNodeTexImage")
        picture.image = bpy.data.images.load(told["texture"], check_existing=True)
        made.node_tree.links.new(picture.outputs["Color"], surface.inputs["Base Color"])
    else:
        surface.inputs["Base Color"].default_value = (*map(linear, told["rgb"]), 1)
    return made


def add(mesh, told):
    thing = bpy.data.objects.new("thing", mesh)
    thing.data.materials.append(material(told))
    bpy.context.scene.collection.objects.link(thing)
    return thing


def sheet(told):
    mesh = bpy.data.meshes.new("sheet")
    mesh.from_pydata(told["corners"], [], [(0, 1, 2, 3)])
    layer = mesh.uv_layers.new()
    for corner, uv in zip(layer.data, told["uv"], strict=True):
        corner.uv = uv
    add(mesh, told)


def solid(told):
    """Faces share their corners, so that the bevel knows which edges are edges."""
    known, points, faces = {}, [], []
    for face in told["faces"]:
        numbers = []
        for point in face:
            key = tuple(round(value, 4) for value in point)
            if key not in known:
                known[key] = len(points)
                points.append(point)
            if known[key] not in numbers:
                numbers.append(known[key])
        if len(numbers) > 2:
            faces.append(numbers)
    mesh = bpy.data.meshes.new("solid")
    mesh.from_pydata(points, [], faces)
    mesh.validate()
    thing = add(mesh, told)
    if told["bevel"]:
        bevel = thing.modifiers.new("bevel", "BEVEL")
        bevel.width, bevel.segments, bevel.limit_method = told["bevel"], 2, "ANGLE"


def lamp(told):
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape, light.size = "DISK", told["size"]
    light.energy = told["power"] * math.pi * math.pi * LAMP_AWAY**2
    light.color = told["rgb"]
    thing = bpy.data.objects.new("lamp", light)
    at = Vector(told["at"])
    thing.matrix_world = Matrix.Translation(at) @ (at - Vector((2, 2, 0))).to_track_quat("Z", "Y").to_matrix().to_4x4()
    bpy.context.scene.collection.objects.link(thing)


def room(scene, told):
    tree = scene.world.node_tree
    tree.nodes.clear()
    out, light = tree.nodes.new("ShaderNodeOutputWorld"), tree.nodes.new("ShaderNodeBackground")
    tree.links.new(light.outputs["Background"], out.inputs["Surface"])
    light.inputs["Strength"].default_value = told["ambient"]
    if told["room"]:
        picture = tree.nodes.new("ShaderNodeTexEnvironment")
        picture.image = bpy.data.images.load(told["room"], check_existing=True)
        tree.links.new(picture.outputs["Color"], light.inputs["Color"])
        light.inputs["Strength"].default_value *= 2  # such pictures are half dark


def camera(scene, told):
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width, lens.lens = "HORIZONTAL", 36, told["lens"] * 36
    lens.clip_start, lens.clip_end = 0.1, 1000
    thing = bpy.data.objects.new("camera", lens)
    turn = Matrix(told["axes"]).transposed().to_4x4()
    thing.matrix_world = Matrix.Translation(Vector(told["eye"])) @ turn
    scene.collection.objects.link(thing)
    scene.camera = thing
    scene.render.resolution_x, scene.render.resolution_y = told["size"]


def main():
    scene = start()
    for line in sys.stdin:
        with open(line.strip()) as file:
            told = json.load(file)
        clear()
        for one in told["sheets"]:
            sheet(one)
        for one in told["solids"]:
            solid(one)
        for one in told["lamps"]:
            lamp(one)
        room(scene, told)
        camera(scene, told)
        scene.cycles.seed = told["seed"]
        scene.render.filepath = told["out"]
        bpy.ops.render.render(write_still=True)
        print("rendered", flush=True)


main()
