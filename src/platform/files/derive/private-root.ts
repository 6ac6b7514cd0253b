import { lstatSync, readlinkSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Programs, libraries, fonts and data of the distribution. Not all of /usr, because /usr/src is a common place for applications. */
const systemFolders = [
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'share', 'local/bin', 'local/lib'].map(
    (name) => `/usr/${name}`,
  ),
  '/etc/alternatives',
  '/etc/fonts',
  '/var/cache/fontconfig',
]
const systemFiles = ['/etc/ld.so.cache']
const devices = ['/dev/null', '/dev/urandom', '/dev/zero']
/** Links to folders of /usr in most distributions, folders in others. */
const rootFolders = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

/** Exists on every Linux and is not needed by any program, so that its place can be taken inside the namespace. */
const mountPoint = '/sys'

type PrivateRoot = { inputPath?: string; programPath: string; command: readonly string[] }

/** Needs user and mount namespaces. The mounts end with the last process of the namespace, so nothing must be cleaned up. */
export function withPrivateRoot({ inputPath, programPath, command }: PrivateRoot): string[] {
  const isLink = (name: string) => isSymbolicLink(`/${name}`) && readlinkSync(`/${name}`) === `usr/${name}`
  const folders = [...systemFolders, ...rootFolders.filter((name) => !isLink(name)).map((name) => `/${name}`)].filter(
    isExistingFolder,
  )
  const isInSystemFolder = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`))
  const files = [
    ...systemFiles.filter(isExistingFile),
    ...(isInSystemFolder(programPath) || isInSystemFolder(`/usr${programPath}`) ? [] : [programPath]),
  ]
  const inputs = inputPath === undefined ? [] : [inputPath]
  const parents = [...files, ...inputs, ...devices].map(dirname)
  const table = [
    ...folders.map((path) => toTableLine(path, 'rbind,ro,nosuid,nodev')),
    ...files.map((path) => toTableLine(path, 'bind,ro,nosuid,nodev')),
    ...inputs.map((path) => toTableLine(path, 'bind,ro,nosuid,nodev,noexec')),
    ...devices.map((path) => toTableLine(path, 'bind')),
  ]
  const script = [
    'set -e',
    'is_shared=',
    `mount -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs ${mountPoint}`,
    `cd ${mountPoint}`,
    'mkdir etc proc tmp usr var',
    'mount -t tmpfs -o mode=1777,size=64m,nosuid,nodev tmpfs tmp',
    `mkdir -p ${[...folders, ...parents].map(quoteRelative).join(' ')}`,
    `touch ${[...files, ...inputs, ...devices].map(quoteRelative).join(' ')}`,
    `ln -s ${rootFolders
      .filter(isLink)
      .map((name) => `usr/${name}`)
      .join(' ')} .`,
    `printf '%s\\n' ${table.map(quote).join(' ')} > etc/fstab`,
    'mount --all --fstab etc/fstab',
    'rm etc/fstab',
    // A container that hides parts of /proc does not allow a new one. umount needs one, but the program must not see this one.
    'mount -t proc -o nosuid,nodev,noexec proc proc || { mount --rbind /proc proc; is_shared=1; }',
    '{ echo 0 > /proc/sys/user/max_user_namespaces; } || :',
    `mount -o remount,bind,ro ${mountPoint}`,
    '/sbin/pivot_root . tmp',
    'umount -l /tmp',
    'if [ "$is_shared" ]; then umount -l /proc; fi',
    'cd /tmp',
    'exec env -i PATH="$PATH" setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"',
  ]
  return ['sh', '-c', script.join('\n'), 'sh', ...command]
}

const isSymbolicLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
const isExistingFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
const isExistingFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

/** The format of fstab separates fields by spaces, which are written as octal numbers in paths. */
function toTableLine(path: string, options: string): string {
  const escaped = path.replaceAll(
    /[\s\\#]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `${escaped} ${mountPoint}${escaped} none ${options} 0 0`
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const quoteRelative = (path: string) => quote(`.${path}`)
