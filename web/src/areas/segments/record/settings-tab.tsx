import { useMemo, useState } from 'react'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { PersonPicker } from '../../../patterns/person-picker.tsx'
import { ConflictBar } from '../../../patterns/record/conflict-bar.tsx'
import { FieldList, type RecordField } from '../../../patterns/record/field-list.tsx'
import { useSaveFields } from '../../../patterns/record/use-save-fields.ts'
import { useMe } from '../../../session/me.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { reloadSegment, type Segment, type SegmentChanges, storeSegment, updateSegment } from '../segment-queries.ts'
import { mayChangeSegment, mayDeleteSegment } from '../segment-rights.ts'
import styles from './segment.module.css'

const DeleteDialog = lazyPart(() => import('./delete-dialog.tsx'), 'DeleteDialog')
const FixDialog = lazyPart(() => import('./fix-dialog.tsx'), 'FixDialog')

export function SettingsTab({ segment }: { segment: Segment }) {
  const me = useMe()
  const [dialog, setDialog] = useState<'owner' | 'fix' | 'delete'>()
  const [chosen, setChosen] = useState<Choice>()
  const close = () => setDialog(undefined)
  const canChange = mayChangeSegment(me, segment)
  const changes = useSaveFields<Segment>({
    record: segment,
    update: ({ id, version }, fields) => updateSegment(id, version, fields as SegmentChanges),
    load: () => reloadSegment(segment.id),
    store: storeSegment,
    readValue: (record, field) => record[field as keyof Segment],
  })
  const fields = useMemo((): RecordField[] => {
    const { name, description, owner, owner_id, object_type, kind, created_at } = segment
    const fixed = (field: string, label: string, value: string) => ({ field, label, value, isReadOnly: true })
    return [
      { field: 'name', label: texts.fields.name, value: name },
      { field: 'description', label: texts.fields.description, value: description, kind: 'multiline' },
      {
        field: 'owner_id',
        label: texts.fields.owner,
        value: owner_id,
        edit: () => setDialog('owner'),
        show: (id) => (id === owner_id ? owner?.name : chosen?.id === id ? chosen?.name : '') ?? '',
      },
      fixed('object_type', texts.fields.type, texts.types[object_type]),
      fixed('kind', texts.fields.kind, texts.kinds[kind]),
      fixed('created_at', texts.fields.created, formatDate(created_at, me.locale)),
    ]
  }, [segment, chosen, me.locale])
  return (
    <div className={styles.scroll}>
      <div className={styles.sheet}>
        <ConflictBar
          changes={changes}
          labelOf={(field) => fields.find((one) => one.field === field)?.label ?? field}
          format={(field, value) => String(fields.find((one) => one.field === field)?.show?.(value) ?? value ?? '')}
        />
        <section className={styles.card}>
          <FieldList fields={fields} changes={changes} canEdit={canChange} />
        </section>
        {canChange && segment.kind === 'dynamic' && segment.state === 'ok' && (
          <section className={styles.card}>
            <h2>{texts.fix.title}</h2>
            <p>{texts.fix.text}</p>
            <div className={styles.buttons}>
              <Button onClick={() => setDialog('fix')}>{texts.fix.action}</Button>
            </div>
          </section>
        )}
        {mayDeleteSegment(me, segment) && (
          <section className={styles.card}>
            <h2>{texts.remove.title}</h2>
            <p>{texts.remove.hint}</p>
            <div className={styles.buttons}>
              <Button variant="danger" onClick={() => setDialog('delete')}>
                {texts.remove.action}
              </Button>
            </div>
          </section>
        )}
      </div>
      {dialog === 'owner' && (
        <PersonPicker
          title={texts.fields.owner}
          first={[{ id: null, name: listTexts.noOwner }]}
          close={close}
          choose={(person) => {
            close()
            setChosen(person)
            if (person.id !== segment.owner_id) changes.save({ owner_id: person.id })
          }}
        />
      )}
      {dialog === 'fix' && <FixDialog segment={segment} close={close} />}
      {dialog === 'delete' && <DeleteDialog segment={segment} close={close} />}
    </div>
  )
}
