import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { PersonPicker } from '../../../patterns/person-picker.tsx'
import { TagEditor } from '../../../patterns/record/fields/tag-editor.tsx'
import { userQuery } from '../../../patterns/shared-queries.ts'
import { can, useMe } from '../../../session/me.ts'
import { importOptionTexts as texts } from '../../../texts/en/import-option-texts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import styles from '../imports.module.css'
import { CampaignOption } from './campaign-option.tsx'
import { DefaultValues } from './default-values.tsx'
import own from './options.module.css'
import type { OptionsProps } from './options-props.ts'

export function NewRecordOptions(props: OptionsProps) {
  const { wizard, options, set } = props
  const { type } = wizard
  const me = useMe()
  const isLead = type === 'leads'
  return (
    <section className={styles.card}>
      <h2>{texts.newTitle[type]}</h2>
      <OwnerOption {...props} />
      <div className={own.option}>
        <span className={own.label}>{texts.tags}</span>
        <TagEditor tags={options.tags} canEdit save={(tags) => set({ tags })} />
        <small>{texts.tagsHint}</small>
      </div>
      {can(me, 'campaigns.write') && <CampaignOption {...props} />}
      <DefaultValues {...props} />
      {isLead && (
        <div>
          <Checkbox
            label={texts.runAssignment}
            checked={options.run_assignment}
            onChange={({ target }) => set({ run_assignment: target.checked })}
          />
          <Checkbox
            label={texts.startSla}
            checked={options.start_sla}
            onChange={({ target }) => set({ start_sla: target.checked })}
          />
        </div>
      )}
    </section>
  )
}

function OwnerOption({ options, set, errorOf }: OptionsProps) {
  const me = useMe()
  const [isAsking, setAsking] = useState(false)
  const { owner_id: id } = options
  const owner = useQuery({ ...userQuery(id ?? ''), enabled: id !== undefined && id !== me.id }).data
  const name = id === undefined ? texts.noOwner : id === me.id ? me.name : (owner?.name ?? texts.otherUser)
  return (
    <div className={own.option}>
      <span className={own.label}>{texts.owner}</span>
      <div className={own.row}>
        <Button aria-label={texts.changeOwner(name)} onClick={() => setAsking(true)}>
          {name}
        </Button>
        {id !== undefined && (
          <IconButton label={texts.removeOwner} icon={<X size={15} />} onClick={() => set({ owner_id: undefined })} />
        )}
      </div>
      <small className={errorOf('owner_id') ? own.error : ''}>{errorOf('owner_id') ?? texts.ownerHint}</small>
      {isAsking && (
        <PersonPicker
          title={texts.owner}
          first={[
            { id: me.id, name: me.name },
            { id: null, name: texts.noOwner },
          ]}
          choose={(person) => {
            set({ owner_id: person.id ?? undefined })
            setAsking(false)
          }}
          close={() => setAsking(false)}
        />
      )}
    </div>
  )
}
