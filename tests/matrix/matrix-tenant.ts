import { randomBytes } from 'node:crypto'
import type { BlobStore } from '#platform/storage'
import type { startTestApp } from '#testing'
import type { RecordKind } from './route-fixture.ts'

export type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type TestWorkspace = Awaited<ReturnType<TestApp['tenant']>>
export type Client = TestWorkspace['anonymous']
export type CallerClient = { client: Client; userId?: string }

/** A test workspace with factories for its records. */
export type MatrixTenant = {
  workspace: TestWorkspace
  services: TestApp['services']
  storage: BlobStore
  /** Returns a unique text that contains the marker of the tenant; the marker of the other tenant is the canary. */
  text(topic: string): string
  /** Creates a record for one call. */
  createRecord(kind: string, options?: RecordOptions): Promise<string>
  /** Returns the record shared by all calls that must not change it. */
  sharedRecord(kind: string, options?: RecordOptions): Promise<string>
}

type RecordOptions = {
  parent?: string
  /** Defaults to the admin of the workspace. */
  owner?: string
  /** Another record than the one that calls refer to by default. */
  isOther?: true
}

export function createMatrixTenant(
  { workspace, services, storage }: Pick<MatrixTenant, 'workspace' | 'services' | 'storage'>,
  kinds: Record<string, RecordKind>,
  marker: string,
): MatrixTenant {
  const sharedRecords = new Map<string, Promise<string>>()

  async function createRecord(
    kind: string,
    { parent, owner = workspace.admin.userId }: RecordOptions = {},
  ): Promise<string> {
    const { parentKind, create } = kinds[kind]!
    const id = await create(tenant, { owner, parent: parentKind ? (parent ?? (await sharedRecord(parentKind))) : '' })
    if (!id) throw new Error(`The fixture record of kind ${kind} could not be created.`)
    return id
  }

  function sharedRecord(kind: string, options: RecordOptions = {}): Promise<string> {
    const { owner = workspace.admin.userId, parent, isOther } = options
    const key = [kind, parent, kinds[kind]!.isPersonal && owner, isOther].join(' ')
    const record = sharedRecords.get(key) ?? createRecord(kind, options)
    sharedRecords.set(key, record)
    return record
  }

  const tenant: MatrixTenant = {
    workspace,
    services,
    storage,
    text: (topic) => `${marker} ${topic} ${randomBytes(6).toString('hex')}`,
    createRecord,
    sharedRecord,
  }
  return tenant
}
