import type { Catalogue } from './catalogue-entry.ts'
import type { InstallTuning } from './install.ts'
import type { ModelFolder } from './model-folder.ts'
import type { SelfTestPorts } from './self-test.ts'

/** What routes and jobs need of the models. */
export interface ModelParts {
  readonly catalogue: Catalogue
  readonly folder: ModelFolder
  /** Null where there is no engine to try a model with. */
  readonly selfTest: SelfTestPorts | null
  readonly tuning?: InstallTuning
}
