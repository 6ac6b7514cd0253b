// Loaded before the TypeScript files, which older versions of Node cannot read.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Tributary needs Node 24 or later; this is Node ${process.versions.node}. Run \`npm install\`, which installs it.`,
  )
  process.exit(1)
}
