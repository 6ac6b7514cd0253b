import { Muted, NameCell, OwnerCell, SinceCell } from '../../../patterns/list/cells.tsx'
import type { ColumnDefinition } from '../../../patterns/list/list-definition.ts'
import { StageBadge } from '../../../patterns/stage-badge.tsx'
import { contactListTexts as texts } from '../../../texts/en/contact-list-texts.ts'
import { nameOfContact } from '../contact-names.ts'
import type { ContactRow } from '../contact-queries.ts'

type ColumnKey = keyof typeof texts.columns

export const standardColumns: readonly ColumnKey[] = ['name', 'account', 'stage', 'email', 'owner', 'activity']

export const contactColumns: Readonly<Record<ColumnKey, ColumnDefinition<ContactRow>>> = {
  name: {
    width: 'minmax(150px, 1.8fr)',
    sort: 'name',
    render: (contact) => <NameCell name={nameOfContact(contact)} detail={contact.title} />,
  },
  account: {
    width: 'minmax(130px, 1.2fr)',
    sort: 'account_name',
    render: ({ account }) => <Muted>{account?.name}</Muted>,
  },
  stage: {
    width: 'minmax(176px, 0.8fr)',
    minListWidth: 520,
    sort: 'lifecycle_stage',
    render: ({ lifecycle_stage: stage }) => <StageBadge stage={stage} />,
  },
  email: {
    width: 'minmax(180px, 1.5fr)',
    minListWidth: 760,
    sort: 'email',
    render: ({ email }) => <Muted>{email}</Muted>,
  },
  phone: {
    width: 'minmax(120px, 1fr)',
    minListWidth: 940,
    render: ({ phone }) => <Muted className="number">{phone}</Muted>,
  },
  owner: {
    width: 'minmax(120px, 1fr)',
    minListWidth: 880,
    render: ({ owner }) => <OwnerCell owner={owner} />,
  },
  emailStatus: {
    width: 'minmax(120px, 0.8fr)',
    minListWidth: 940,
    render: ({ email_status: status }) => <Muted>{texts.emailStatuses[status]}</Muted>,
  },
  tags: {
    width: 'minmax(120px, 1fr)',
    minListWidth: 940,
    render: ({ tags }) => <Muted>{tags.join(', ')}</Muted>,
  },
  activity: {
    width: '112px',
    minListWidth: 640,
    render: ({ last_activity_at: at }, options) => <SinceCell at={at} {...options} />,
  },
  created: {
    width: '112px',
    minListWidth: 940,
    sort: '-created_at',
    render: ({ created_at: at }, options) => <SinceCell at={at} {...options} />,
  },
}
