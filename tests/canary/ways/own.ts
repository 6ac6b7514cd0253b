import type { FieldName } from '../fields.ts'
import { isKey } from '../readers.ts'
import { getAll, type Way } from './way.ts'

const listed = 'limit=100'

export const home: Way = { name: 'home', read: (_, { readers }) => getAll(readers, ['/api/home']) }

export const notifications: Way = {
  name: 'notifications',
  read: (_, { readers }) =>
    getAll(
      readers.filter(({ name }) => !isKey(name)),
      [`/api/auth/notifications?${listed}`],
    ),
}

export const auditLog: Way = {
  name: 'audit log',
  // Entries contain values of all records, and the scope `admin.read` is the right to read them.
  readsAs: { 'admin.read': 'admin' },
  async read(_, { readers }) {
    const url = `/api/admin/audit-log?${listed}`
    const outputs = await getAll(readers, [url])
    const auditors = readers.filter(({ name }) => name === 'admin' || name === 'admin.read')
    return [
      ...outputs,
      ...(await getAll(
        auditors,
        [1, 2, 3].map((page) => `${url}&offset=${page * 100}`),
      )),
    ]
  },
}

/** What a search can find by its text. */
const searchedFields: FieldName[] = [
  'practice title',
  'take title',
  'draft path title',
  'draft content title',
  'draft content body',
  'team content title',
  'team collection name',
  'lead name',
  'lead address',
  'contact address',
  'hidden thread',
  'gated room title',
]

export const search: Way = {
  name: 'search',
  read: ({ canaries }, { readers, isShort }) => {
    const searchers = readers.filter(({ name }) => !isShort || !['anonymous', 'impersonator'].includes(name))
    return getAll(
      searchers,
      (isShort ? searchedFields : canaries.fieldNames()).map((field) => `/api/search?q=${canaries.beginningOf(field)}`),
    )
  },
}

/** States, results and event streams of all tasks. */
export const tasks: Way = {
  name: 'tasks',
  async read({ acme, ids }, { readers, isShort }) {
    const { rows } = await acme.sql(
      `select id from platform.background_tasks where tenant_id = $1 and finished_at is not null order by is_private desc, id`,
      [acme.id],
    )
    const ended: string[] = rows.map(({ id }) => id).slice(0, isShort ? 4 : 100)
    const urls = [...ended, ...(ids.task ?? [])].flatMap((id) => [`/api/tasks/${id}/status`, `/api/tasks/${id}/events`])
    const users = readers.filter(({ name }) => !isKey(name))
    return await getAll(users, ['/api/tasks/', ...new Set(urls)])
  },
}
