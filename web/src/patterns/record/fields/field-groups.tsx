import { FieldList } from '../field-list.tsx'
import { PanelSection } from '../record-panel.tsx'
import type { SaveFields } from '../use-save-fields.ts'
import type { FieldGroup } from './record-fields.ts'

type FieldGroupsProps = {
  groups: readonly FieldGroup[]
  changes: SaveFields
  canEdit: boolean
  canEditField?: (field: string) => boolean
  focusRequest: number
}

/** The fields of a record, editable in place. A request for the focus opens the first group. */
export const FieldGroups = ({ groups, changes, canEdit, canEditField, focusRequest }: FieldGroupsProps) =>
  groups.map(({ title, fields }, at) => (
    <PanelSection key={title} title={title}>
      <FieldList
        fields={fields.map((field) => ({
          ...field,
          isReadOnly: field.isReadOnly || !canEdit || canEditField?.(field.field) === false,
        }))}
        changes={changes}
        canEdit={canEdit}
        focusRequest={at === 0 ? focusRequest : 0}
      />
    </PanelSection>
  ))
