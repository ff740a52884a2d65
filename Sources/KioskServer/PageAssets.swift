// Made by scripts/lib/embed-page; edit the files in Page instead.
// swift-format-ignore-file

/// A file of the page that is built in.
struct PageLiteral: Sendable {
  var name: String
  var tag: String
  var text: StaticString
}

/// The page, file by file.
enum PageAssets {
  static let all: [PageLiteral] = [
    PageLiteral(
      name: "index.html", tag: "\"b32406e05a42680d\"",
      text: #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Retake</title>
</head>
<body>
<h1>Retake</h1>
<p>Press the button.</p>
<img src="/preview.mjpg" alt="The camera's live picture">
</body>
</html>

"""#),
    PageLiteral(
      name: "../openapi.yaml", tag: "\"fd718403530ebc17\"",
      text: ##"""
openapi: 3.1.0
info:
  title: Retake
  version: "1"
  summary: What the kiosk page asks a camera station, and what other programs may ask, too.
  description: |
    Every refusal is a problem document (RFC 9457). When `web.token` is set, every address but
    `/healthz` needs it: `Authorization: Bearer TOKEN`, or the cookie that `/?token=TOKEN` sets.
    Requests from pages of other sites are refused.
  license:
    name: MIT
servers:
  - url: /
security:
  - {}
  - token: []
  - cookie: []

paths:
  /api/v1/state:
    get:
      operationId: state
      summary: Everything that the page shows.
      parameters:
        - {name: If-None-Match, in: header, schema: {type: string}}
        - {name: X-Retake-Pin, in: header, schema: {type: string}}
      responses:
        "200":
          description: The state; times count from the answer.
          headers: {ETag: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: "#/components/schemas/State"}}}
        "304": {description: It has not changed.}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/events:
    get:
      operationId: events
      summary: Events without an end.
      description: |
        `state` (with an id; the whole state, at once and with every change), `notice` (a Notice),
        `heartbeat` (each second). A page that comes back gets the newest state.
      parameters:
        - {name: Last-Event-ID, in: header, schema: {type: string}}
      responses:
        "200":
          description: A stream of server-sent events.
          content: {text/event-stream: {schema: {type: string}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/shutter:
    post:
      operationId: shutter
      summary: Press the shutter.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: &done
        "200":
          description: It was done; this is the state after it.
          content: {application/json: {schema: {$ref: "#/components/schemas/State"}}}
        "409":
          description: |
            Nothing was done: the session is over (`stale`), it means nothing now (`meaningless`),
            or the station cannot (the reason's code).
          content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/accept:
    post:
      operationId: accept
      summary: Use the photo, confirm the selection, or keep the edit.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/retake:
    post:
      operationId: retake
      summary: Throw the photo away and shoot again.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/cancel:
    post:
      operationId: cancel
      summary: Give up, or leave an end screen.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/extend:
    post:
      operationId: extend
      summary: Somebody is there; the timer starts again.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/back:
    post:
      operationId: back
      summary: From the crop box to the library.
      requestBody: {$ref: "#/components/requestBodies/Command"}
      responses: *done
  /api/v1/begin:
    post:
      operationId: begin
      summary: Begin a session.
      requestBody:
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              properties:
                session: {$ref: "#/components/schemas/OptionalSession"}
                source: {type: string, enum: [camera, photoLibrary, savedPhotosAlbum]}
                limit: {type: integer, minimum: 0, maximum: 1000}
                edit: {type: boolean}
      responses: *done
  /api/v1/select:
    post:
      operationId: select
      summary: Choose a photo of the library.
      requestBody: {$ref: "#/components/requestBodies/Item"}
      responses: *done
  /api/v1/deselect:
    post:
      operationId: deselect
      summary: Choose it no longer.
      requestBody: {$ref: "#/components/requestBodies/Item"}
      responses: *done
  /api/v1/editor:
    post:
      operationId: editor
      summary: Open the crop box for a photo.
      requestBody: {$ref: "#/components/requestBodies/Item"}
      responses: *done
  /api/v1/edit:
    post:
      operationId: edit
      summary: Move the crop box, or turn.
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              properties:
                session: {$ref: "#/components/schemas/OptionalSession"}
                crop:
                  oneOf:
                    - {type: "null"}
                    - type: object
                      additionalProperties: false
                      required: [x, y, width, height]
                      properties:
                        x: {type: integer, minimum: 0, maximum: 1048576}
                        y: {type: integer, minimum: 0, maximum: 1048576}
                        width: {type: integer, minimum: 1, maximum: 1048576}
                        height: {type: integer, minimum: 1, maximum: 1048576}
                quarterTurns: {type: integer, minimum: 0, maximum: 3}
      responses: *done
  /api/v1/heartbeat:
    post:
      operationId: heartbeat
      summary: A page says that it is alive; the watchdog of the kiosk listens.
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              required: [page]
              properties:
                page: {type: string, minLength: 1, maxLength: 64}
                screen: {type: string, minLength: 1, maxLength: 64}
                visible: {type: boolean}
      responses:
        "204": {description: Heard.}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/preview:
    get:
      operationId: preview
      summary: The newest picture of the camera.
      parameters:
        - name: after
          in: query
          description: The number of the picture that is known; waits up to 2 s for another.
          schema: {type: integer, minimum: 0, maximum: 9007199254740991}
      responses:
        "200":
          description: The picture as the camera sent it, to be turned and cropped by `preview`.
          headers:
            X-Retake-Frame: {schema: {type: integer}}
            X-Retake-Age-Ms: {schema: {type: integer}}
          content: {image/jpeg: {schema: {type: string, format: binary}}}
        "204": {description: There was no other picture in time.}
        default: {$ref: "#/components/responses/Problem"}
  /preview.mjpg:
    get:
      operationId: previewStream
      summary: Pictures without an end, for viewers that know nothing better.
      responses:
        "200":
          description: One part for each picture.
          content: {multipart/x-mixed-replace: {schema: {type: string, format: binary}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/review/{still}:
    get:
      operationId: review
      summary: The photo that a guest decides about, exactly as it will be saved.
      parameters:
        - name: still
          in: path
          required: true
          description: The session's number and `.jpg`.
          schema: {type: string, pattern: "^[1-9][0-9]{0,15}\\.jpg$"}
      responses:
        "200":
          description: The photo.
          content: {image/jpeg: {schema: {type: string, format: binary}}}
        "404":
          description: There is none now.
          content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/photos:
    get:
      operationId: photos
      summary: Saved photos, newest first.
      parameters:
        - name: before
          in: query
          description: The `next` of the page before.
          schema: {type: string, maxLength: 1100}
        - name: limit
          in: query
          schema: {type: integer, minimum: 1, maximum: 200, default: 50}
        - name: album
          in: query
          schema: {type: string, maxLength: 1100}
      responses:
        "200":
          description: A page of them.
          content:
            application/json:
              schema:
                type: object
                additionalProperties: false
                required: [photos, next, total]
                properties:
                  photos: {type: array, items: {$ref: "#/components/schemas/Photo"}}
                  next: {type: [string, "null"]}
                  total: {type: integer, minimum: 0}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/photos/{id}:
    parameters:
      - {$ref: "#/components/parameters/Photo"}
    get:
      operationId: photo
      summary: One photo.
      responses:
        "200":
          description: What is known of it.
          content: {application/json: {schema: {$ref: "#/components/schemas/Photo"}}}
        default: {$ref: "#/components/responses/Problem"}
    delete:
      operationId: deletePhoto
      summary: Delete a photo and its copies; the operator's PIN is needed.
      parameters:
        - {name: X-Retake-Pin, in: header, schema: {type: string}}
      responses:
        "204": {description: It is gone.}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/photos/{id}/thumbnail.jpg:
    parameters:
      - {$ref: "#/components/parameters/Photo"}
    get:
      operationId: thumbnail
      summary: A small picture of it.
      responses:
        "200":
          description: The picture.
          content: {image/jpeg: {schema: {type: string, format: binary}}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/photos/{id}/original:
    parameters:
      - {$ref: "#/components/parameters/Photo"}
    get:
      operationId: original
      summary: The file itself.
      parameters:
        - {name: Range, in: header, schema: {type: string}}
        - {name: If-Range, in: header, schema: {type: string}}
        - {name: If-None-Match, in: header, schema: {type: string}}
      responses:
        "200":
          description: The whole file.
          content: &file
            image/jpeg: {schema: {type: string, format: binary}}
            video/mp4: {schema: {type: string, format: binary}}
        "206": {description: The part that was asked for., content: *file}
        "304": {description: It has not changed.}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/cameras:
    get:
      operationId: cameras
      summary: The cameras of the machine, with what they can do.
      responses:
        "200":
          description: As `retake cameras --json` has them.
          content:
            application/json:
              schema:
                type: object
                additionalProperties: false
                required: [cameras]
                properties:
                  cameras: {type: array, items: {type: object}}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/health:
    get:
      operationId: health
      summary: What the operator wants to know.
      parameters:
        - {name: X-Retake-Pin, in: header, schema: {type: string}}
      responses:
        "200":
          description: One check for each thing that can be wrong.
          content:
            application/json:
              schema:
                type: object
                additionalProperties: false
                required: [checks, version, status]
                properties:
                  checks:
                    type: array
                    items:
                      type: object
                      additionalProperties: false
                      required: [name, ok, detail]
                      properties:
                        name: {type: string}
                        ok: {type: boolean}
                        detail: {type: string}
                        fix: {type: string}
                  version: {type: string}
                  status: {type: object}
        default: {$ref: "#/components/responses/Problem"}
  /api/v1/openapi.yaml:
    get:
      operationId: description
      summary: This document.
      responses:
        "200":
          description: It.
          content: {application/yaml: {schema: {type: string}}}
        "304": {description: It has not changed.}
        default: {$ref: "#/components/responses/Problem"}
  /metrics:
    get:
      operationId: metrics
      summary: Counters for Prometheus.
      responses:
        "200":
          description: Its text format.
          content: {text/plain: {schema: {type: string}}}
        default: {$ref: "#/components/responses/Problem"}
  /healthz:
    get:
      operationId: alive
      summary: Whether the server answers.
      security: []
      responses:
        "200":
          description: It does.
          content: {text/plain: {schema: {type: string}}}
        default: {$ref: "#/components/responses/Problem"}

components:
  securitySchemes:
    token: {type: http, scheme: bearer}
    cookie: {type: apiKey, in: cookie, name: retake-token}
  parameters:
    Photo:
      name: id
      in: path
      required: true
      description: A photo's `id`, percent-encoded as a whole.
      schema: {type: string, minLength: 1, maxLength: 1024}
  requestBodies:
    Command:
      required: false
      content:
        application/json:
          schema:
            type: object
            additionalProperties: false
            properties:
              session: {$ref: "#/components/schemas/OptionalSession"}
    Item:
      required: true
      content:
        application/json:
          schema:
            type: object
            additionalProperties: false
            required: [item]
            properties:
              session: {$ref: "#/components/schemas/OptionalSession"}
              item: {type: string, minLength: 1, maxLength: 1024}
  responses:
    Problem:
      description: The request was not met.
      content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}
  schemas:
    OptionalSession:
      description: The session that is meant; a stale one changes nothing.
      type: [integer, "null"]
      minimum: 1
      maximum: 9007199254740991
    Problem:
      type: object
      additionalProperties: false
      required: [type, title, status, detail]
      properties:
        type: {type: string, const: "about:blank"}
        title: {type: string}
        status: {type: integer, minimum: 400, maximum: 599}
        detail: {type: string}
        fix: {type: string}
        code: {type: string}
    Photo:
      type: object
      additionalProperties: false
      required: [id, album, name, width, height, bytes, taken, kind]
      properties:
        id: {type: string}
        album: {type: string}
        name: {type: string}
        width: {type: integer, minimum: 0}
        height: {type: integer, minimum: 0}
        bytes: {type: integer, minimum: 0}
        taken: {type: [string, "null"], format: date-time}
        kind: {type: string, enum: [image, movie]}
        durationMs: {type: integer, minimum: 0}
    Box:
      type: object
      additionalProperties: false
      required: [x, y, width, height]
      properties:
        x: {type: integer}
        y: {type: integer}
        width: {type: integer}
        height: {type: integer}
    Labels: {type: array, items: {type: string}}
    State:
      type: object
      additionalProperties: false
      required: [number, instance, version, state, session, presentation, showsCameraControls,
                 source, allowsEditing, selectionLimit, remainingMs, totalMs, atEnd, candidate,
                 slow, edit, item, selection, trouble, lastPhoto, camera, preview, controls,
                 settings, pinRequired]
      properties:
        number: {type: integer, minimum: 1}
        instance: {type: string}
        version: {type: string}
        state:
          type: string
          enum: [idle, live, countdown, capturing, reviewing, saving, browsing, editing, finished,
                 cancelled, failed]
        session: {type: [integer, "null"], minimum: 1}
        presentation: {type: string, enum: [fullScreen, sheet, popover, headless]}
        showsCameraControls: {type: boolean}
        source: {type: [string, "null"], enum: [camera, photoLibrary, savedPhotosAlbum, null]}
        allowsEditing: {type: boolean}
        selectionLimit: {type: integer, minimum: 0}
        remainingMs: {type: [integer, "null"], minimum: 0}
        totalMs: {type: [integer, "null"], minimum: 0}
        atEnd: {type: [string, "null"], enum: [accept, cancel, null]}
        candidate: {type: [integer, "null"], minimum: 1}
        slow: {type: boolean}
        edit:
          oneOf:
            - {type: "null"}
            - type: object
              additionalProperties: false
              required: [crop, quarterTurns]
              properties:
                crop: {oneOf: [{type: "null"}, {$ref: "#/components/schemas/Box"}]}
                quarterTurns: {type: integer, minimum: 0, maximum: 3}
        item: {type: [string, "null"]}
        selection: {type: array, items: {type: string}}
        trouble:
          oneOf:
            - {type: "null"}
            - type: object
              additionalProperties: false
              required: [kind, code, guest, trying, retryMs]
              properties:
                kind: {type: string, enum: [camera, storage, library, fault]}
                code: {type: string}
                guest: {type: string}
                trying: {type: [string, "null"]}
                retryMs: {type: [integer, "null"], minimum: 0}
                operator:
                  type: object
                  additionalProperties: false
                  required: [reason]
                  properties:
                    reason: {type: string}
                    fix: {type: string}
        lastPhoto:
          oneOf:
            - {type: "null"}
            - type: object
              additionalProperties: false
              required: [id, name, path]
              properties:
                id: {type: string}
                name: {type: string}
                path: {type: string}
        camera:
          type: object
          additionalProperties: false
          required: [name, state, width, height]
          properties:
            name: {type: string}
            state:
              type: string
              enum: [stopped, starting, streaming, no-signal, stalled, absent, busy, denied, failed]
            width: {type: integer, minimum: 0}
            height: {type: integer, minimum: 0}
        preview:
          oneOf:
            - {type: "null"}
            - type: object
              additionalProperties: false
              required: [turns, mirrored, crop, frame]
              properties:
                turns: {type: integer, minimum: 0, maximum: 3}
                mirrored: {type: boolean}
                crop: {$ref: "#/components/schemas/Box"}
                frame:
                  type: object
                  additionalProperties: false
                  required: [width, height]
                  properties:
                    width: {type: integer}
                    height: {type: integer}
        controls:
          type: object
          additionalProperties: {$ref: "#/components/schemas/Labels"}
        settings:
          type: object
          additionalProperties: false
          required: [language, sounds, slideshow, lens, title, countdownSeconds, reviewSeconds,
                     modes]
          properties:
            language: {type: string}
            sounds: {type: boolean}
            slideshow: {type: boolean}
            lens: {type: string, enum: [top, right, bottom, left]}
            title: {type: [string, "null"]}
            countdownSeconds: {type: number, minimum: 0}
            reviewSeconds: {type: number, minimum: 0}
            modes: {type: array, items: {type: string, enum: [photo, movie]}}
        pinRequired: {type: boolean}
    Notice:
      type: object
      additionalProperties: false
      required: [kind, code, message]
      properties:
        kind: {type: string, enum: [refused, saveIsSlow]}
        code: {type: [string, "null"]}
        message: {type: string}

"""##),
  ]
}
