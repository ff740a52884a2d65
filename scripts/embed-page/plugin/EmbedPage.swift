import Foundation
import PackagePlugin

/// Writes the page's files as Swift literals into the build folder before `KioskServer` is compiled.
///
/// The program then is one file that can be copied anywhere. SwiftPM's own `embedInCode` writes
/// arrays of bytes, for which the compiler takes minutes.
@main
struct EmbedPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let package = context.package.directoryURL
    let page = package.appending(path: "Sources/KioskServer/Page")
    let interface = package.appending(path: "docs/openapi.yaml")
    let output = context.pluginWorkDirectoryURL.appending(path: "PageAssets.swift")
    guard let tool = try? context.tool(named: "embed-page") else {
      // A build for fuzzing has no tool; scripts/campaigns/fuzz has made the file.
      let made = package.appending(path: ".build/PageAssets.swift")
      return [
        .buildCommand(
          displayName: "Copying the embedded page", executable: URL(filePath: "/bin/cp"),
          arguments: [made.path, output.path], inputFiles: [made], outputFiles: [output])
      ]
    }
    let files = FileManager.default.enumerator(at: page, includingPropertiesForKeys: nil)
    return [
      .buildCommand(
        displayName: "Embedding the page",
        executable: tool.url,
        arguments: [output.path, page.path, interface.path],
        inputFiles: (files?.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }
          + [interface],
        outputFiles: [output])
    ]
  }
}
