export { CamerasScreen, type CameraLinks } from './CamerasScreen.tsx';
export { createCaseStore as createCaseChoice } from '../library/caseStore.ts';
export { createCameraStore, type CameraStore } from './cameraStore.ts';
export { createCardOpener, type CardOpener } from './cardStore.ts';
export { clipIdOf } from './heldClip.ts';
export { RecallList } from './RecallList.tsx';
export { createRecallStore, type RecallStore } from './recallStore.ts';
export { isActive as isActiveRecall } from './recallWords.ts';
