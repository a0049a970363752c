"""The types of the old GraphQL API that the simulated account answers for."""

SDL = """
scalar JSON

type Query {
  myself: User
  pod(input: PodFilter): Pod
  gpuTypes(input: GpuTypeFilter): [GpuType]
}

type Mutation {
  updateUserSettings(input: UserSettingsInput): User
  podFindAndDeployOnDemand(input: DeployInput): Pod
  deployCpuPod(input: DeployInput): Pod
  podStop(input: PodFilter!): Pod
  podResume(input: PodResumeInput!): Pod
  podTerminate(input: PodFilter!): JSON
}

input PodFilter { podId: String! }
input GpuTypeFilter { id: String }
input UserSettingsInput { pubKey: String }
input PodResumeInput { podId: String!  gpuCount: Int }
input EnvInput { key: String  value: String }
input LowestPriceInput { gpuCount: Int }

enum CloudType { ALL SECURE COMMUNITY }

input DeployInput {
  name: String  imageName: String  gpuTypeId: String  gpuCount: Int  cloudType: CloudType
  supportPublicIp: Boolean
  startSsh: Boolean  startJupyter: Boolean  dataCenterId: String  countryCode: String  volumeInGb: Int
  containerDiskInGb: Int  minVcpuCount: Int  minMemoryInGb: Int  dockerArgs: String  ports: String
  volumeMountPath: String  env: [EnvInput]  templateId: String  networkVolumeId: String
  allowedCudaVersions: [String]  minDownload: Int  minUpload: Int  instanceId: String  stopAfter: String
  terminateAfter: String
}

type User {
  id: ID  email: String  pubKey: String  clientBalance: Float  currentSpendPerHr: Float
  networkVolumes: [NetworkVolume]  pods: [Pod]
}

type NetworkVolume { id: ID  name: String  size: Int  dataCenterId: String }

type Pod {
  id: ID!  name: String!  desiredStatus: String!  lastStatusChange: String  createdAt: String
  lastStartedAt: String
  consumerUserId: String  containerDiskInGb: Int  costPerHr: Float!  adjustedCostPerHr: Float!
  dockerArgs: String
  dockerId: String  env: [String]  gpuCount: Int!  imageName: String!  locked: Boolean  machineId: String!
  machine: Machine  memoryInGb: Float  podType: String  port: Int  ports: String  uptimeSeconds: Int
  vcpuCount: Float!  volumeInGb: Float  volumeMountPath: String  templateId: String
  networkVolume: NetworkVolume
  runtime: PodRuntime  latestTelemetry: Telemetry
}

type Machine { gpuDisplayName: String  podHostId: String  dataCenterId: String  gpuTypeId: String }
type Telemetry { state: String  time: String }

type PodRuntime {
  uptimeInSeconds: Int  container: RuntimeContainer  gpus: [RuntimeGpu]  ports: [RuntimePort]
}

type RuntimeContainer { cpuPercent: Int  memoryPercent: Int }
type RuntimeGpu { id: ID  gpuUtilPercent: Int  memoryUtilPercent: Int }
type RuntimePort { ip: String  isIpPublic: Boolean  privatePort: Int  publicPort: Int  type: String }

type GpuType {
  id: ID  displayName: String  manufacturer: String  memoryInGb: Int  maxGpuCount: Int  cudaCores: Int
  secureCloud: Boolean  communityCloud: Boolean  securePrice: Float  communityPrice: Float
  oneMonthPrice: Float
  threeMonthPrice: Float  oneWeekPrice: Float  communitySpotPrice: Float  secureSpotPrice: Float
  lowestPrice(input: LowestPriceInput): LowestPrice
}

type LowestPrice { minimumBidPrice: Float  uninterruptablePrice: Float }
"""
